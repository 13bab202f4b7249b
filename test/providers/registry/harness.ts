import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import {
  type ChildEvent,
  type ChildState,
  type Provider,
  Registry,
  type RegistryOptions,
  type ServerOptions,
  type ToolResult,
} from '../../../src/index.ts'
import { livingWith, type Server } from '../../e2e/harness.ts'
import { Heard } from '../../e2e/heard.ts'
import { call } from './provider.ts'

/** Restarts at once: tests have no time. */
export const atOnce = { initialMs: 0, factor: 1, maxMs: 0, jitter: 0 } as const

export interface Troupe {
  readonly registry: Registry
  readonly warnings: Heard<string>
  readonly children: Heard<ChildEvent>
  add(server: Server & { readonly env?: { readonly [name: string]: string } }, options: ServerOptions): void
  /** What runs of a server and of everything it started. */
  pids(prefix: string): readonly number[]
  kill(prefix: string, signal?: NodeJS.Signals): void
  /** The text of one call’s result. */
  ask(tool: string, args?: Parameters<typeof call>[1]): Promise<string>
  run(...tools: readonly string[]): Promise<readonly ToolResult[]>
  /** The next event of a child in that state, or one that came before. */
  reached(prefix: string, state: ChildState, generation: number): Promise<ChildEvent>
}

/** A registry of real servers, closed when the test ends: then nothing that it started may run. */
export function troupe(options: RegistryOptions = {}): Troupe {
  const markers = new Map<string, string>()
  const warnings = new Heard<string>()
  const children = new Heard<ChildEvent>()
  const registry = new Registry({
    // On a busy machine slow is not yet silent.
    probeTimeoutMs: 30_000,
    onWarn: warnings.hear,
    backoff: atOnce,
    ...options,
  })
  registry.on('child', children.hear)
  const pids = (prefix: string) => livingWith(`TROUPE_TEST=${markers.get(prefix)}`)
  onTestFinished(async () => {
    await registry.close()
    for (const prefix of markers.keys()) expect(pids(prefix)).toEqual([])
  })
  return {
    registry,
    warnings,
    children,
    add: ({ command, args, env }, serverOptions) => {
      const marker = randomUUID()
      markers.set(serverOptions.prefix, marker)
      registry.add({ command, args, env: { ...env, TROUPE_TEST: marker } }, serverOptions)
    },
    pids,
    kill: (prefix, signal = 'SIGKILL') => {
      for (const pid of pids(prefix)) process.kill(pid, signal)
    },
    ask: (tool, args) => ask(registry, tool, args),
    run: (...tools) => registry.executeToolCalls(tools.map((tool) => call(tool))),
    reached: (prefix, state, generation) =>
      children.first(
        (event) => event.path[0] === prefix && event.state === state && event.generation === generation,
      ),
  }
}

async function ask(provider: Provider, tool: string, args?: Parameters<typeof call>[1]): Promise<string> {
  const [result] = await provider.executeToolCalls([call(tool, args)])
  return result?.content ?? expect.fail('no result')
}
