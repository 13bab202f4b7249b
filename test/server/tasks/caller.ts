import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import type { McpServer } from '../../../src/server/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { type Answered, Asker } from '../dispatch/harness.ts'

export const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
export const capabilities = (of: JsonObject) => ({ 'io.modelcontextprotocol/clientCapabilities': of })
const declaring = capabilities({ elicitation: {}, ...tasks })
export const text = (of: string) => ({ content: [{ type: 'text', text: of }] })
export const accept = (content: JsonObject) => ({ action: 'accept', content })

/** A client that takes tasks. */
export class Caller {
  readonly #asker: Asker

  constructor(server: McpServer) {
    this.#asker = new Asker(server)
  }

  send(method: string, params: JsonObject = {}, meta: JsonObject = declaring): Promise<Answered> {
    return this.#asker.modern(method, params, meta)
  }

  async call(name: string, more: JsonObject = {}): Promise<JsonObject> {
    const { result, error } = await this.send('tools/call', { name, ...more })
    return result ?? { error }
  }

  async task(name: string, more: JsonObject = {}): Promise<string> {
    return String((await this.call(name, more)).taskId)
  }

  async get(taskId: string): Promise<JsonObject> {
    const { result, error } = await this.send('tasks/get', { taskId })
    return result ?? { error }
  }

  /** The task once its handler has done all that waits for nobody else. */
  async settled(taskId: string): Promise<JsonObject> {
    await new TestClock().settle()
    return this.get(taskId)
  }
}
