import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { pathOf } from '../harness.ts'

/** One request as an official server saw it. */
export interface OfficialRequest {
  readonly verb: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly message?: JsonObject
  /** Whether the client was gone before its answer was finished. */
  readonly left: boolean
}

export interface OfficialServer {
  /** Of one of its paths. */
  url(path: string): string
  /** Every request since the last time it was asked. */
  seen(): Promise<readonly OfficialRequest[]>
  /** Resolves when no connection to it is open. */
  idle(): Promise<void>
  /** Whatever else the fixture tells. */
  order(order: string): Promise<unknown>
}

/** A program of test/fixtures/servers that serves for as long as the tests of a file run. */
export function official(name: string): OfficialServer {
  let child: ChildProcess | undefined
  let port = ''
  let told = 0
  beforeAll(async () => {
    const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const
    child = spawn(process.execPath, [pathOf(`../fixtures/servers/${name}.mjs`)], { stdio: [...stdio] })
    const lines = createInterface({ input: child.stdout ?? expect.fail('no stdout') })
    ;[port] = await once(lines, 'line')
  })
  afterAll(async () => {
    const closed = child && once(child, 'close')
    child?.kill('SIGKILL')
    await closed
  })
  const order = async (name: string): Promise<unknown> => {
    const running = child ?? expect.fail('the server does not run yet')
    running.send({ order: name })
    for (;;) {
      const [reply] = await once(running, 'message')
      if (reply.order === name) return reply.answer
    }
  }
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    idle: async () => void (await order('idle')),
    seen: async () => {
      const all = (await order('seen')) as readonly OfficialRequest[]
      const fresh = all.slice(told)
      told = all.length
      return fresh
    },
    order,
  }
}
