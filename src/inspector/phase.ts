import type { ActorPicture, Phase } from './frames.ts'

/** How the server of an actor is; undefined for actors that say nothing of it. */
export function phaseOf({ machine, states, facts }: Omit<ActorPicture, 'key'>): Phase | undefined {
  const words = machine === 'supervisedChild' ? supervised : machine === 'connection' ? connected : undefined
  const deepestFirst = [...states].reverse()
  const word = deepestFirst.map((id) => id.split('.').at(-1) ?? '').find((key) => words?.[key])
  const phase = word === undefined ? undefined : words?.[word]
  // A supervised child keeps its last failure, however well it is.
  return phase === 'stopped' && machine === 'connection' && hasFailed(facts) ? 'failed' : phase
}

const supervised: { readonly [state: string]: Phase } = {
  stopped: 'stopped',
  starting: 'starting',
  up: 'up',
  backingOff: 'backingOff',
  exhausted: 'exhausted',
  stopping: 'stopping',
}

const connected: { readonly [state: string]: Phase } = {
  idle: 'stopped',
  opening: 'starting',
  probing: 'starting',
  legacyHandshake: 'starting',
  fallingBack: 'starting',
  ready: 'up',
  inputRequired: 'inputRequired',
  closing: 'stopping',
  closed: 'stopped',
}

function hasFailed(facts: unknown): boolean {
  return typeof facts === 'object' && facts !== null && Reflect.get(facts, 'failure') !== undefined
}
