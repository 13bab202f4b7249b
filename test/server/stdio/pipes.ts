import { PassThrough } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { type McpServer, type ServeStdioOptions, serveStdio } from '../../../src/server/index.ts'
import { Heard } from '../../e2e/heard.ts'
import { stamp } from '../dispatch/harness.ts'

/** A server at the other end of two pipes. */
export class Pipes {
  readonly input = new PassThrough()
  readonly output = new PassThrough()
  readonly lines = new Heard<string>()
  readonly served: Promise<void>
  #rest = ''

  constructor(server: McpServer, options: ServeStdioOptions = {}) {
    this.served = serveStdio(server, { input: this.input, output: this.output, ...options })
    this.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.lines.hear(line)
    })
    onTestFinished(async () => {
      this.input.end()
      await this.served
      expect(this.#rest).toBe('')
    })
  }

  write(message: JsonObject | readonly JsonObject[] | string): void {
    this.input.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`)
  }

  request(id: string | number, method: string, params: JsonObject = {}): void {
    this.write({ jsonrpc: '2.0', id, method, params })
  }

  modern(id: string | number, method: string, params: JsonObject = {}, meta: JsonObject = {}): void {
    this.request(id, method, { ...params, _meta: stamp(meta) })
  }

  get messages(): readonly JsonObject[] {
    return this.lines.all.map((line) => JSON.parse(line))
  }

  /** The message that answers a request, once it is there. */
  async answer(id: string | number): Promise<JsonObject> {
    const line = await this.lines.first((text) => JSON.parse(text).id === id)
    return JSON.parse(line)
  }
}
