/** A promise whose end a test decides. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

export function deferred<Value>(): Deferred<Value> {
  let resolve: Deferred<Value>['resolve'] = () => {}
  let reject: Deferred<Value>['reject'] = () => {}
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

/** One more promise, kept in a list for whoever decides its end. */
export function next<Value>(list: Deferred<Value>[]): Promise<Value> {
  const result = deferred<Value>()
  list.push(result)
  return result.promise
}
