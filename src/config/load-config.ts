import { basename, dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Config, ConfiguredServer } from './config.ts'
import { readConfig, type UnreadConfig } from './read-config.ts'
import { readText } from './read-text.ts'
import { fromObject } from './source.ts'
import { fromText } from './source-text.ts'
import type { Variables } from './variables.ts'

/**
 * Reads a configuration from its file, or takes it as an object. Relative paths in it, and servers without a `cwd`, are of the
 * folder the file lies in (of `.vscode/mcp.json` the one above), or of the working directory. `env` is what `${NAME}` stands for;
 * default the environment of this process.
 * @throws ConfigError with the path of the bad key
 */
export async function loadConfig(
  source: string | object,
  env: Variables['env'] = process.env,
): Promise<Config> {
  if (typeof source !== 'string')
    return withEnvFiles(readConfig(fromObject(source), { env, folder: process.cwd() }), [])
  const path = resolve(source)
  const text = await readText(path, 'the configuration')
  return withEnvFiles(readConfig(fromText(text, path), { env, folder: folderOf(path) }), [path])
}

/** Where the file lies; of one in `.vscode` the folder above. */
function folderOf(path: string): string {
  const folder = dirname(path)
  return basename(folder) === '.vscode' ? dirname(folder) : folder
}

async function withEnvFiles(
  { envFiles, ...config }: UnreadConfig,
  files: readonly string[],
): Promise<Config> {
  const servers = new Map(config.servers)
  for (const [name, path] of envFiles) {
    const server = servers.get(name)
    if (server) servers.set(name, withVariables(server, await readVariables(path, name)))
  }
  return { ...config, servers, files: [...files, ...new Set(envFiles.values())] }
}

/** What stands in the entry itself wins. */
function withVariables(server: ConfiguredServer, variables: Values): ConfiguredServer {
  const { spec, secrets } = server
  if ('url' in spec) return server
  const env = { ...variables, ...spec.env }
  return { ...server, spec: { ...spec, env }, secrets: [...secrets, ...Object.values(variables)] }
}

type Values = { readonly [name: string]: string }

async function readVariables(path: string, server: string): Promise<Values> {
  const text = (await readText(path, `the envFile of ${server}`)).replace(/^\uFEFF/, '')
  const variables = Object.entries(parseEnv(text))
  return Object.fromEntries(variables.map(([name, value = '']) => [name, value]))
}
