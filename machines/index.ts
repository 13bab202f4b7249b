import { authorizationMachine } from './authorization.ts'
import { connectionMachine } from './connection.ts'
import { leaseTableMachine } from './lease-table.ts'
import { policyMachine } from './policy.ts'
import { questionMachine } from './question.ts'
import { registryMachine } from './registry.ts'
import { roundTripMachine } from './round-trip.ts'
import { serverTaskMachine } from './server-task.ts'
import { supervisedChildMachine } from './supervised-child.ts'

export type {
  AuthorizationContext,
  AuthorizationEvent,
  AuthorizationInput,
  Challenge,
  Discovered,
  Refreshed,
  Restored,
  TokenFacts,
} from './authorization-facts.ts'
export type { ConnectionEvent, HandshakeAnswer, ProbeAnswer } from './connection-events.ts'
export type { ConnectionContext, ConnectionInput, ProbeEvidence } from './connection-facts.ts'
export type {
  AcquireRefusal,
  Conflict,
  HeldLease,
  Lease,
  LeaseAnswer,
  LeaseBook,
  LeaseMessage,
  PinRefusal,
  Waiter,
} from './leases/book.ts'
export { blockersOf } from './leases/conflicts.ts'
export { nextDeadline } from './leases/rules.ts'
export type { PolicyContext, PolicyEvent, PolicyInput, QuestionSubject } from './policy.ts'
export type { QuestionEvent, QuestionInput, QuestionOutcome } from './question.ts'
export type { RegistryContext, RegistryEvent } from './registry.ts'
export type { Backoff, ChildSpec, RestartKind, RestartRecord } from './restart-rules.ts'
export type { RetryOutcome, RoundTripContext, RoundTripInput, RoundTripOutcome } from './round-trip.ts'
export type { ServerTaskContext, ServerTaskEvent, ServerTaskInput } from './server-task.ts'
export type {
  IncarnationDown,
  IncarnationInput,
  Opening,
  Phase,
  SupervisedChildContext,
  SupervisedChildEvent,
  SupervisedChildInput,
} from './supervised-child.ts'
export {
  authorizationMachine,
  connectionMachine,
  leaseTableMachine,
  policyMachine,
  questionMachine,
  registryMachine,
  roundTripMachine,
  serverTaskMachine,
  supervisedChildMachine,
}

/** Every statechart of this package by name: what the pictures are drawn from. */
export const machines = {
  connection: connectionMachine,
  roundTrip: roundTripMachine,
  registry: registryMachine,
  supervisedChild: supervisedChildMachine,
  leaseTable: leaseTableMachine,
  policy: policyMachine,
  question: questionMachine,
  authorization: authorizationMachine,
  serverTask: serverTaskMachine,
}

export type MachineName = keyof typeof machines
