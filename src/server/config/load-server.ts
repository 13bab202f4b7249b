import { dirname, resolve } from 'node:path'
import { Place } from '../../config/place.ts'
import { readText } from '../../config/read-text.ts'
import { anyText, mapOf, object, record, text } from '../../config/readers.ts'
import { fromText } from '../../config/source-text.ts'
import { fillIn, type Variables } from '../../config/variables.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { McpServerOptions } from '../options.ts'
import { McpServer } from '../server.ts'
import { plugNamed } from '../toolkits/load-toolkits.ts'
import { type HttpSection, readHttp } from './read-http.ts'

/** What a file describes: a server, and how to serve it over HTTP where it says that. */
export interface LoadedServer {
  readonly server: McpServer
  /** For `serveHttp`. */
  readonly http: HttpSection | undefined
}

/** What wins over the file, and what `${NAME}` in it stands for: default the environment of this process. */
export interface LoadServerOptions extends Partial<Identity>, Partial<Pick<Variables, 'env'>> {}

type Identity = Pick<McpServerOptions, 'name' | 'version' | 'instructions'>

/**
 * Builds the server of a configuration file. Modules and paths in it are relative to its folder.
 * @throws ConfigError with file, line and key
 */
export async function loadServer(
  path: string,
  { env = process.env, ...identity }: LoadServerOptions = {},
): Promise<LoadedServer> {
  const file = resolve(path)
  const source = fromText(await readText(file, 'the configuration of a server'), file, example)
  const top = new Place(source)
  const folder = dirname(file)
  const { tools = {}, http, ...said } = readMembers(fillIn(source.value, top, { env, folder }), top)
  const { name } = said
  if (name === undefined) throw top.bad(`has no name; write ${example}`)
  const server = new McpServer({ name, ...said, ...given(identity) })
  for (const [key, config] of Object.entries(tools)) {
    const place = top.at('tools').at(key)
    // What follows a # tells it from others of the same name.
    const [toolkit = ''] = key.split('#')
    if (toolkit === '') throw place.bad('names no toolkit; before a # stands the name, e.g. FileSystem#docs')
    await plugNamed(server, toolkit, config, folder, place)
  }
  return { server, http }
}

function given<Options extends object>(options: Options): Partial<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Options>
}

const readMembers = record<Identity & { tools?: { [key: string]: JsonObject }; http?: HttpSection }>({
  name: text,
  version: text,
  instructions: anyText,
  tools: mapOf(object),
  http: readHttp,
})

const example = '{"name": "my-tools", "tools": {"FileSystem": {"root": "docs"}}}'
