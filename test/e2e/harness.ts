import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { type CallToolResult, McpClient, type StdioClientOptions } from '../../src/index.ts'
import { Heard } from './heard.ts'

/** Every connection lives in a thread or on the caller's own: the same must come of it. */
export const hostings = ['worker', 'inline'] as const
export type Hosting = (typeof hostings)[number]

export interface Session {
  readonly client: McpClient
  readonly warnings: Heard<string>
  readonly stderr: Heard<string>
  /** What runs of the server and of everything it started, wherever it went. */
  pids(): number[]
}

export interface Expectations {
  /** What a bare server will say at its end that the client did wrong; default nothing. */
  readonly violations?: readonly unknown[]
}

/**
 * A client that is closed when the test ends. Then nothing that it started may run, and the bare servers, which judge their
 * clients, must have found nothing wrong.
 */
export function connect(options: StdioClientOptions, { violations = [] }: Expectations = {}): Session {
  const marker = `TROUPE_TEST=${randomUUID()}`
  const [name = '', value = ''] = marker.split('=')
  const warnings = new Heard<string>()
  const stderr = new Heard<string>()
  const client = McpClient.connectStdio({
    // On a busy machine slow is not yet silent; tests of silence say how long it lasts.
    probeTimeoutMs: 30_000,
    onWarn: warnings.hear,
    onStderr: stderr.hear,
    ...options,
    env: { ...options.env, [name]: value },
  })
  const pids = () => livingWith(marker)
  onTestFinished(async () => {
    await client.close()
    expect(pids()).toEqual([])
    const verdicts = stderr.all.filter((line) => line.startsWith('bye '))
    for (const line of verdicts) expect(JSON.parse(line.slice(4))).toMatchObject({ violations })
  })
  return { client, warnings, stderr, pids }
}

export interface Server {
  readonly command: string
  readonly args: readonly string[]
}

/** A program of test/fixtures/servers. */
export function fixture(name: string, ...args: readonly string[]): Server {
  return { command: process.execPath, args: [pathOf(`../fixtures/servers/${name}.mjs`), ...args] }
}

export function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

/** The text of a result that has one block. */
export function textOf({ content }: CallToolResult): string {
  expect(content).toHaveLength(1)
  const [block] = content
  return block?.type === 'text' ? block.text : expect.fail(`no text: ${JSON.stringify(block)}`)
}

/** What a fixture's tool says as JSON. */
export async function ask(client: McpClient, tool: string, args = {}): Promise<unknown> {
  return JSON.parse(textOf(await client.callTool(tool, args)))
}

/** How a promise failed. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`came out well: ${JSON.stringify(value)?.slice(0, 200)}`),
    (error: unknown) => error,
  )
}

/** Linux tells which environment a process was started with, also of orphans in groups of their own. A zombie has none. */
export function livingWith(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(marker))
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}
