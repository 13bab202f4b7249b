import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { JsonObject, Provider, ToolResult } from '../../src/index.ts'
import { call } from '../providers/registry/provider.ts'

export interface Workspace {
  /** Inside of it everything may happen. */
  readonly root: string
  /** Beside the root: nothing may happen here. */
  readonly outside: string
}

/** Two directories beside each other, with files; gone when the test ends. */
export function workspace(files: { readonly [path: string]: string } = {}): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-toolkits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const places = { root: join(folder, 'root'), outside: join(folder, 'outside') }
  for (const place of Object.values(places)) mkdirSync(place)
  put(places.root, files)
  put(places.outside, {
    'secret.txt': 'the secret',
    'folder/deep.txt': 'the secret',
    'only-outside.txt': 'the secret',
  })
  return places
}

export function put(folder: string, files: { readonly [path: string]: string }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Everything there is below a directory. */
export function snapshot(folder: string, path = '.'): JsonObject {
  const place = join(folder, path)
  const stats = lstatSync(place)
  const what = { mode: stats.mode.toString(8), size: stats.isDirectory() ? 0 : stats.size, ino: stats.ino }
  if (stats.isSymbolicLink()) return { [path]: { ...what, target: readlinkSync(place) } }
  if (stats.isFile()) return { [path]: { ...what, content: readFileSync(place, 'latin1') } }
  if (!stats.isDirectory()) return { [path]: what }
  const inner = readdirSync(place).map((name) => snapshot(folder, join(path, name)))
  return Object.assign({ [path]: what }, ...inner)
}

/** What this process has open below a directory. */
export function openBelow(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd')
    .map((descriptor) => targetOf(join('/proc/self/fd', descriptor)))
    .filter((target) => target.startsWith(folder))
}

/** The descriptor that lists the others is gone already. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** What comes of one call. */
export async function does(
  provider: Provider,
  tool: string,
  args: JsonObject = {},
  options: Parameters<Provider['executeToolCalls']>[1] = {},
): Promise<ToolResult> {
  const [result] = await provider.executeToolCalls([call(tool, args)], options)
  return result ?? expect.fail(`${tool} was not answered`)
}

/** The text of a call that comes out well. */
export async function says(provider: Provider, tool: string, args: JsonObject = {}): Promise<string> {
  const { content, is_error } = await does(provider, tool, args)
  return is_error ? expect.fail(content) : content
}

/** The text of one that does not. */
export async function refuses(provider: Provider, tool: string, args: JsonObject = {}): Promise<string> {
  const { content, is_error } = await does(provider, tool, args)
  return is_error ? content : expect.fail(`came out well: ${content}`)
}
