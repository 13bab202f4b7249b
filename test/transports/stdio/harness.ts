import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import type { McpError } from '../../../src/errors.ts'
import { isObject, type JsonObject, type RequestId } from '../../../src/protocol/json-rpc.ts'
import { type StdioOptions, StdioTransport } from '../../../src/transports/stdio/stdio-transport.ts'
import type { TransportEvents } from '../../../src/transports/transport.ts'

export const never = new AbortController().signal

export type Heard =
  | { readonly event: 'message'; readonly message: JsonObject | readonly unknown[]; readonly text: string }
  | { readonly event: 'noise'; readonly sample: string }
  | { readonly event: 'oversize'; readonly id: RequestId | undefined; readonly maxMessageBytes: number }
  | { readonly event: 'failed'; readonly id: RequestId; readonly failure: McpError }
  | { readonly event: 'stderr'; readonly line: string }
  | { readonly event: 'spawned'; readonly group: number }
  | { readonly event: 'reaped'; readonly group: number }
  | { readonly event: 'closed'; readonly failure: McpError | undefined }

/** Writes down what a wire reports, and lets a test wait for it. */
export class Recorder implements TransportEvents {
  readonly heard: Heard[] = []
  #waiting: (() => void)[] = []

  message = (message: JsonObject | readonly unknown[], text: string) =>
    this.#hear({ event: 'message', message, text })
  noise = (sample: string) => this.#hear({ event: 'noise', sample })
  oversize = (id: RequestId | undefined, maxMessageBytes: number) =>
    this.#hear({ event: 'oversize', id, maxMessageBytes })
  failed = (id: RequestId, failure: McpError) => this.#hear({ event: 'failed', id, failure })
  stderr = (line: string) => this.#hear({ event: 'stderr', line })
  spawned = (group: number) => this.#hear({ event: 'spawned', group })
  reaped = (group: number) => this.#hear({ event: 'reaped', group })
  closed = (failure: McpError | undefined) => this.#hear({ event: 'closed', failure })

  all<Name extends Heard['event']>(name: Name): Extract<Heard, { event: Name }>[] {
    return this.heard.filter((one): one is Extract<Heard, { event: Name }> => one.event === name)
  }

  get messages(): (JsonObject | readonly unknown[])[] {
    return this.all('message').map(({ message }) => message)
  }

  get names(): string[] {
    return this.heard.map(({ event }) => event)
  }

  /** Resolves when `find` finds something in what was heard. */
  async until<Found>(find: (recorder: this) => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find(this)
      if (found !== undefined) return found
      if (this.names.includes('closed')) throw new Error(`closed after ${this.names.join(', ')}`)
      await new Promise<void>((heard) => this.#waiting.push(heard))
    }
  }

  find(matches: (message: JsonObject) => boolean): Promise<JsonObject> {
    return this.until(({ messages }) => messages.filter(isObject).find(matches))
  }

  answer(id: RequestId): Promise<JsonObject> {
    return this.find((message) => message.id === id)
  }

  async failure(): Promise<McpError | undefined> {
    const { failure } = await this.until((recorder) => recorder.all('closed')[0])
    return failure
  }

  #hear(heard: Heard): void {
    this.heard.push(heard)
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}

export function fixture(name: string, args: readonly string[] = []): Pick<StdioOptions, 'command' | 'args'> {
  return { command: process.execPath, args: [fixturePath(name), ...args] }
}

export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/servers/${name}.mjs`, import.meta.url))
}

/** A transport that is closed when the test ends; then nothing of what it started may be left. */
export function transportFor(options: StdioOptions): { transport: StdioTransport; record: Recorder } {
  const transport = new StdioTransport({ killGraceMs: 5000, ...options })
  const record = new Recorder()
  onTestFinished(async () => {
    await transport.close()
    expectEnded(record)
  })
  return { transport, record }
}

export async function opened(
  options: StdioOptions,
): Promise<{ transport: StdioTransport; record: Recorder }> {
  const both = transportFor(options)
  await both.transport.open(both.record, never)
  return both
}

export function expectEnded(record: Recorder): void {
  const groups = record.all('spawned').map(({ group }) => group)
  expect(record.all('reaped').map(({ group }) => group)).toEqual(groups)
  expect(groups.flatMap(livingPids)).toEqual([])
  // Nothing is reported after `closed`, which comes once.
  expect(record.names.indexOf('closed')).toBe(groups.length === 0 ? -1 : record.names.length - 1)
}

/** What still runs of a process group; zombies do not. */
export function livingPids(group: number): number[] {
  return allProcesses()
    .filter((one) => one.group === group)
    .map(({ pid }) => pid)
}

export function isRunning(pid: number): boolean {
  return allProcesses().some((one) => one.pid === pid)
}

interface Process {
  readonly pid: number
  readonly group: number
  readonly state: string
}

function allProcesses(): Process[] {
  const all = process.platform === 'linux' ? processesByProc() : processesByPs()
  return all.filter(({ state }) => !/^[ZX]/.test(state))
}

function processesByProc(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const [, state = 'X', group] = /\) (\w) \d+ (\d+)/.exec(stat) ?? []
        return { pid: Number(pid), group: Number(group), state }
      } catch {
        return []
      }
    })
}

function processesByPs(): Process[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, group, state = 'X'] = line.trim().split(/\s+/)
    return { pid: Number(pid), group: Number(group), state }
  })
}

export function request(id: number, method: string, params: JsonObject = {}) {
  return {
    kind: 'request',
    id,
    method,
    text: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  } as const
}

export function notification(method: string, params: JsonObject = {}) {
  return { kind: 'notification', method, text: JSON.stringify({ jsonrpc: '2.0', method, params }) } as const
}
