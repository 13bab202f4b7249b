import { type ActorRefLike, type AnyStateMachine, StateMachine, type StateValue } from 'xstate'
import { isObject } from '../protocol/json-rpc.ts'
import { redact } from '../redact.ts'
import { activeStates } from './active-states.ts'
import type { ActorPicture } from './frames.ts'
import type { Place } from './places.ts'

/** How an actor is by its snapshot; without one it was only announced. */
export function pictureOf(
  { key, server, name }: Place,
  machine: AnyStateMachine,
  snapshot: unknown,
): Omit<ActorPicture, 'generation'> {
  const { value, context, status } = isObject(snapshot) ? snapshot : unknownSnapshot
  return {
    key,
    server,
    name,
    machine: machine.id,
    states: activeStates(machine.root, isStateValue(value) ? value : undefined),
    status: typeof status === 'string' ? status : 'active',
    facts: redact(context),
    sinceMs: Date.now(),
  }
}

/** The machine of an actor; what is no machine has no picture. */
export function machineOf(actorRef: ActorRefLike): AnyStateMachine | undefined {
  const logic = 'logic' in actorRef ? actorRef.logic : undefined
  return logic instanceof StateMachine ? logic : undefined
}

export function generationIn(facts: unknown): number | undefined {
  return isObject(facts) && typeof facts.generation === 'number' ? facts.generation : undefined
}

function isStateValue(value: unknown): value is StateValue {
  return typeof value === 'string' || isObject(value)
}

const unknownSnapshot = { value: undefined, context: undefined, status: undefined }
