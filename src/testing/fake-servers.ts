import type { ServerCapabilities } from '../protocol/capabilities.ts'
import type { Implementation } from '../protocol/implementation.ts'
import { MetaKey } from '../protocol/meta.ts'
import { legacyVersions, modernVersions } from '../protocol/versions.ts'
import type { FakeAnswer } from './fake-answers.ts'

/** What a fake server says about itself, and what it answers. */
interface FakeServer {
  /** By method; these win over what the era answers by itself. Default: every list is empty, anything else is -32601. */
  readonly answers?: { readonly [method: string]: FakeAnswer }
  /** Default: tools, resources, prompts, completions and logging, with everything they can do. */
  readonly capabilities?: ServerCapabilities
  /** Default `{ name: 'fake', version: '1.0.0' }`. */
  readonly serverInfo?: Implementation
  /** Default none. */
  readonly instructions?: string
}

export interface FakeModernServer extends FakeServer {
  /** What its DiscoverResult names; default the modern versions of this package. */
  readonly supportedVersions?: readonly string[]
}

export interface FakeLegacyServer extends FakeServer {
  /** What it answers to `initialize`, whatever was offered; default the newest legacy version. */
  readonly protocolVersion?: string
}

type Answers = { readonly [method: string]: FakeAnswer }

const emptyLists: Answers = {
  'tools/list': { tools: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [] },
}

const everything: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

const fake: Implementation = { name: 'fake', version: '1.0.0' }

export function modernAnswers(server: FakeModernServer): Answers {
  const {
    supportedVersions = modernVersions,
    capabilities = everything,
    serverInfo = fake,
    instructions,
  } = server
  const discovery = {
    resultType: 'complete',
    supportedVersions,
    capabilities,
    instructions,
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [MetaKey.serverInfo]: serverInfo },
  }
  return { ...emptyLists, 'server/discover': discovery, ...server.answers }
}

export function legacyAnswers(server: FakeLegacyServer): Answers {
  const {
    protocolVersion = legacyVersions[0],
    capabilities = everything,
    serverInfo = fake,
    instructions,
  } = server
  return {
    ...emptyLists,
    initialize: { protocolVersion, capabilities, serverInfo, instructions },
    ping: {},
    'logging/setLevel': {},
    'resources/subscribe': {},
    'resources/unsubscribe': {},
    ...server.answers,
  }
}
