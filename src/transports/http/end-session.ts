import { settlesWithin } from '../../settles-within.ts'
import { Exchange } from './exchange.ts'
import type { Session } from './session.ts'
import type { Wire } from './wire.ts'

/** Tells the server that its session is over, if there is one. It need not care (405), and may not keep us waiting. */
export async function endSession(wire: Wire, session: Session): Promise<void> {
  if (session.id === undefined) return
  const { path } = wire.endpoint
  const { headers } = session
  const request = { method: 'DELETE', path, headers, lane: 'control', isRepeatable: true } as const
  let exchange: Exchange | undefined
  const answered = new Promise<void>((resolve) => {
    const listener = { head: () => resolve(), data: () => {}, end: () => {}, failed: () => resolve() }
    exchange = new Exchange(wire, { ...request, idleTimeoutMs: 0 }, listener).start()
  })
  await settlesWithin(answered, patienceMs, wire.clock)
  exchange?.abort()
}

const patienceMs = 1000
