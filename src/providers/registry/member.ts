import { secretsInAuth } from '../../auth/secrets-in-auth.ts'
import type { CatalogueEvent, ChildEvent, ChildState, Provider } from '../../bridge/provider.ts'
import { badOption } from '../../check-options.ts'
import { systemClock } from '../../clock.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { redactor } from '../../redactor.ts'
import { secretsOf } from '../../transports/secrets-of.ts'
import { isProvider } from '../provider-option.ts'
import type { Catalogue } from './catalogue.ts'
import { connector } from './connect.ts'
import { Entry } from './entry.ts'
import {
  checkEntryOptions,
  childSpec,
  type EntryOptions,
  type HttpServer,
  type RegistryParts,
  type ServerOptions,
  type StdioServer,
  serverParts,
} from './options.ts'
import type { RegistryEvents } from './registry-events.ts'
import { SupervisedServer } from './supervised-server.ts'
import type { Supervisor } from './supervisor.ts'

/** What is under a prefix. */
export interface Member {
  readonly entry: Entry
  /** Undefined in-process. */
  readonly server: SupervisedServer | undefined
  /** Stops a server for good, and resolves when it is gone; hands a provider back. */
  readonly leave: () => Promise<Provider | undefined>
}

/** The registry as a member needs it. */
export interface Surroundings {
  readonly parts: RegistryParts
  readonly catalogue: Catalogue
  readonly events: RegistryEvents
  readonly supervisor: Supervisor
  readonly warn: (message: string) => void
}

/** @throws ConfigError, and nothing was started */
export function join(
  what: Provider | StdioServer | HttpServer,
  options: EntryOptions | ServerOptions,
  surroundings: Surroundings,
): Member {
  if (!isObject(what)) throw badOption('provider', 'must be a provider of tools, or a server to run')
  return isProvider(what)
    ? joinProvider(what, options, surroundings)
    : joinServer(what as StdioServer | HttpServer, options, surroundings)
}

function joinProvider(
  provider: Provider,
  options: EntryOptions,
  { parts, catalogue, events, warn }: Surroundings,
): Member {
  checkEntryOptions(options)
  const { prefix } = options
  const { clock = systemClock } = parts.own
  const entry = new Entry({ prefix, provider, filter: options, warn, clock })
  const stops = [
    provider.on?.('catalogue', (event: CatalogueEvent | undefined) => {
      const path = Array.isArray(event?.path) ? event.path : []
      if (path.length > deepest) return
      catalogue.expire()
      const removed = Array.isArray(event?.removed) ? catalogue.publishedBy(entry, event.removed) : []
      if (removed.length > 0) events.removed([prefix, ...path], removed)
      else events.catalogue([prefix, ...path])
    }),
    provider.on?.('child', (event) => {
      if (!isChildEvent(event) || event.path.length > deepest) return
      const tools = catalogue.publishedBy(entry, event.tools)
      events.child({ ...event, path: [prefix, ...event.path], tools })
    }),
  ]
  const leave = async () => {
    // An emitter of Node has an `on` too, which returns something else.
    for (const stop of stops) if (typeof stop === 'function') stop()
    return provider
  }
  return { entry, server: undefined, leave }
}

function joinServer(
  what: StdioServer | HttpServer,
  options: ServerOptions,
  { parts, catalogue, events, supervisor, warn }: Surroundings,
): Member {
  const { entry: entryOptions, supervision: own, client } = serverParts(options)
  const { prefix } = entryOptions
  const connect = connector(what, client, {
    inspectAs: prefix,
    ...parts.client,
    onWarn: (message) => warn(`${prefix}: ${hide(message)}`),
  })
  // After what it reads was checked.
  const hide = redactor(secretsIn(what))
  const supervision = { ...parts.supervision, ...own }
  const spec = childSpec(supervision)
  const { clock = systemClock, random = Math.random } = parts.own
  const server = new SupervisedServer({
    name: prefix,
    spec,
    clock,
    random,
    connect,
    hide,
    downWaitMs: supervision.downWaitMs ?? 30_000,
    retryReads: supervision.retryReads ?? false,
    toolConcurrency: client.toolConcurrency ?? parts.client.toolConcurrency,
    warn,
    onMoved: (state, { generation, failure }) => {
      if (state === 'exhausted') warn(givenUp(prefix, spec, failure?.message))
      const tools = catalogue.publishedBy(entry)
      events.child({ path: [prefix], state, generation, tools, ...(isDown(state) && { failure }) })
    },
    onCatalogue: () => {
      catalogue.expire()
      events.catalogue([prefix])
    },
  })
  const entry = new Entry({ prefix, provider: server, filter: entryOptions, warn, clock })
  const stop = supervisor.supervise(prefix, spec, server.life)
  const leave = async () => {
    await stop()
    return undefined
  }
  return { entry, server, leave }
}

/** What functions give is not known here. */
function secretsIn(what: StdioServer | HttpServer): readonly string[] {
  if (!('url' in what) || what.url === undefined) return secretsOf(what as StdioServer)
  const { url, headers, auth = {} } = what
  const reached = { url, ...(typeof headers === 'object' && { headers }) }
  return [...secretsOf(reached), ...secretsInAuth(auth)]
}

function isChildEvent(event: unknown): event is ChildEvent {
  return isObject(event) && Array.isArray(event.path) && Array.isArray(event.tools)
}

function isDown(state: ChildState): boolean {
  return state !== 'up' && state !== 'starting'
}

function givenUp(
  prefix: string,
  { maxRestarts, withinMs }: { readonly maxRestarts: number; readonly withinMs: number },
  why = 'it ended',
): string {
  return `${prefix} was given up after ${maxRestarts} restarts within ${withinMs} ms; restart('${prefix}') starts it again. ${why}`
}

/** More registries than this within each other are a circle, in which an event would go round for ever. */
const deepest = 16
