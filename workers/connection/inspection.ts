import {
  type ActorRefLike,
  type AnyActorRef,
  type InspectionEvent,
  StateMachine,
  type Subscription,
} from 'xstate'
import { type MachineName, machines } from '../../machines/index.ts'
import { isObject, isRequestId } from '../../src/protocol/json-rpc.ts'
import { redact, redactText } from '../../src/redact.ts'
import { redactor } from '../../src/redactor.ts'
import type { SeenEvent, SeenMessage, Sight, Trace } from '../frames.ts'

/**
 * What somebody who watches sees of a connection: the events of its machine, its child machines, every message on its wire. The
 * snapshots of the machine itself cross anyway. Nothing is looked at while nobody watches.
 */
export class Inspection {
  readonly #show: (sight: Sight) => void
  readonly #hide: (text: string) => string
  #subscription: Subscription | undefined

  /** `secrets` are values that are masked wherever they stand. */
  constructor(show: (sight: Sight) => void, secrets: readonly string[] = []) {
    this.#show = show
    this.#hide = redactor(secrets)
  }

  get isOn(): boolean {
    return this.#subscription !== undefined
  }

  begin(root: AnyActorRef): void {
    if (this.#subscription) return
    this.#subscription = root.system.inspect((event) => this.#see(event))
    for (const child of Object.values<AnyActorRef>(root.getSnapshot().children)) {
      if (!machineOf(child)) continue
      this.#introduce(child)
      this.#showState(child)
    }
  }

  end(): void {
    this.#subscription?.unsubscribe()
    this.#subscription = undefined
  }

  /** `message` is the text parsed, where it was. */
  message(direction: Trace['direction'], text: string, message?: unknown): void {
    this.#show({ kind: 'message', direction, message: this.#seenMessage(text, message ?? parsed(text)) })
  }

  #see(inspected: InspectionEvent): void {
    // XState promises less than there is: here every reference is a whole actor.
    const actor = inspected.actorRef as AnyActorRef
    if (!machineOf(actor)) return
    if (inspected.type === '@xstate.event') {
      const { event, sourceRef } = inspected
      if (event.type === 'xstate.init') return this.#introduce(actor)
      const source = sourceRef && sourceOf(sourceRef as AnyActorRef)
      this.#show({ kind: 'event', actor: pathOf(actor), source, event: this.#seenEvent(event) })
    } else if (inspected.type === '@xstate.snapshot' && actor._parent) this.#showState(actor)
  }

  #introduce(actor: AnyActorRef): void {
    const machine = machineOf(actor)
    if (actor._parent && machine) this.#show({ kind: 'actor', actor: pathOf(actor), machine })
  }

  #showState(actor: AnyActorRef): void {
    const { value, context, status } = actor.getSnapshot()
    this.#show({ kind: 'state', actor: pathOf(actor), value, context: this.#redacted(context), status })
  }

  #seenEvent(event: { readonly type: string }): SeenEvent {
    const shown = this.#redacted(event)
    return { ...(isObject(shown) && shown), type: event.type }
  }

  #seenMessage(text: string, message: unknown): SeenMessage {
    const id = isObject(message) && isRequestId(message.id) ? this.#shownId(message.id) : undefined
    return {
      type: this.#hide(typeOf(message)).slice(0, maxTypeChars),
      ...(id !== undefined && { id }),
      size: text.length,
      text: JSON.stringify(this.#redacted(message) ?? cutUnread),
    }
  }

  /** A server numbers its requests with whatever it likes. */
  #shownId(id: string | number): string | number {
    return typeof id === 'number'
      ? id
      : redactText(this.#hide(id.slice(0, maxReadChars))).slice(0, maxTypeChars)
  }

  #redacted(value: unknown): unknown {
    return redact(value, { hide: this.#hide })
  }
}

/** The ids below the connection's machine, which itself is ''. */
function pathOf(actor: AnyActorRef): string {
  const parent = actor._parent
  return parent ? [pathOf(parent), actor.id].filter(Boolean).join('/') : ''
}

function sourceOf(source: AnyActorRef): string {
  if (machineOf(source)) return pathOf(source)
  const { src } = source
  return typeof src === 'string' ? src : source.id
}

/** Not what a machine invokes: that shows as the source of its events. */
function machineOf(actor: ActorRefLike): MachineName | undefined {
  const logic = 'logic' in actor ? actor.logic : undefined
  return logic instanceof StateMachine && isName(logic.id) ? logic.id : undefined
}

function isName(id: string): id is MachineName {
  return Object.hasOwn(machines, id)
}

function typeOf(message: unknown): string {
  if (Array.isArray(message)) return 'batch'
  if (!isObject(message)) return 'message'
  if (typeof message.method === 'string') return redactText(message.method.slice(0, maxReadChars))
  return 'error' in message ? 'error' : 'result'
}

/** What we send was never parsed here; the largest is not worth it. */
function parsed(text: string): unknown {
  return text.length > maxParsedChars ? undefined : JSON.parse(text)
}

const maxTypeChars = 100
const maxReadChars = 1_000
const maxParsedChars = 1_000_000
const cutUnread = '… too long to be shown'
