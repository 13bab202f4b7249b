/** Keeps `inFlight` calls going for `forMs`, until at least `atLeast` were answered; resolves to how many were. */
export async function keepInFlight(inFlight, forMs, call, atLeast = 0) {
  const until = performance.now() + forMs
  let answered = 0
  const loop = async () => {
    while (performance.now() < until || answered < atLeast) {
      await call()
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, loop))
  return answered
}

/** Calls one after the other for `forMs`, at least `atLeast` times; resolves to the milliseconds each took. */
export async function timeEach(forMs, call, atLeast = 1) {
  const took = []
  const until = performance.now() + forMs
  let before = performance.now()
  while (before < until || took.length < atLeast) {
    await call()
    const after = performance.now()
    took.push(after - before)
    before = after
  }
  return took
}
