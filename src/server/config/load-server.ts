import { dirname, resolve } from 'node:path'
import { Place } from '../../config/place.ts'
import { readText } from '../../config/read-text.ts'
import { anyText, mapOf, object, record, text } from '../../config/readers.ts'
import { fromText } from '../../config/source-text.ts'
import { fillIn, type Variables } from '../../config/variables.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { McpServerOptions } from '../options.ts'
import { McpServer } from '../server.ts'
import { openToolkit } from '../toolkits/load-toolkits.ts'
import { type HttpSection, readHttp } from './read-http.ts'

/** What a file describes: a server, and how to serve it over HTTP where it says that. */
export interface LoadedServer {
  readonly server: McpServer
  /** For `serveHttp`. */
  readonly http: HttpSection | undefined
}

export interface LoadServerOptions extends Pick<McpServerOptions, 'name' | 'version' | 'instructions'> {}

/**
 * Builds the server of a configuration file. Modules and paths in it are relative to its folder; `${NAME}` in a string is a
 * variable of `env`, default this process's. `identity` wins over what the file says.
 * @throws ConfigError with file, line and key
 */
export async function loadServer(
  path: string,
  { env = process.env, ...identity }: Partial<LoadServerOptions> & Partial<Pick<Variables, 'env'>> = {},
): Promise<LoadedServer> {
  const file = resolve(path)
  const source = fromText(await readText(file, 'the configuration of a server'), file, example)
  const top = new Place(source)
  const folder = dirname(file)
  const { tools = {}, http, ...said } = readMembers(fillIn(source.value, top, { env, folder }), top)
  const { name } = said
  if (name === undefined) throw top.bad(`has no name; write ${example}`)
  const server = new McpServer({ name, ...said, ...given(identity) })
  for (const [key, config] of Object.entries(tools)) await plug(server, key, config, folder, top.at('tools'))
  return { server, http }
}

/** `FileSystem#docs`: what follows the # tells it from others of the same name. */
async function plug(
  server: McpServer,
  key: string,
  config: JsonObject,
  folder: string,
  tools: Place,
): Promise<void> {
  const place = tools.at(key)
  const [name = ''] = key.split('#')
  if (name === '') throw place.bad('names no toolkit; before a # stands the name, e.g. FileSystem#docs')
  const [toolkit, options] = await openToolkit(name, config, folder, place)
  try {
    server.plug(toolkit, options)
  } catch (cause) {
    throw place.bad(`cannot be plugged: ${thrownMessage(cause)}`, { cause })
  }
}

function given<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Options>
}

const readMembers = record<LoadServerOptions & { tools?: { [key: string]: JsonObject }; http?: HttpSection }>(
  {
    name: text,
    version: text,
    instructions: anyText,
    tools: mapOf(object),
    http: readHttp,
  },
)

const example = '{"name": "my-tools", "tools": {"FileSystem": {"root": "docs"}}}'
