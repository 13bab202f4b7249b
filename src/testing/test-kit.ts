import type { Registrar } from '../server/registration/registrar.ts'
import type { Toolkit } from '../server/registration/toolkit.ts'
import { answeringTools } from './kit/answering-tools.ts'
import { askingTools } from './kit/asking-tools.ts'
import { resourcesAndPrompts } from './kit/resources-and-prompts.ts'
import { speakingTools } from './kit/speaking-tools.ts'

/**
 * A toolkit with one of everything a server can have, to try clients, hosts and layers on:
 *
 * ```ts
 * const server = new McpServer({ name: 'under-test' })
 * server.plug(new TestKit())
 * await using mcp = McpClient.connectStdio({ transport: new InProcessTransport(server) })
 * ```
 *
 * - Tools that answer: `greet` {name, times?} with a text, `quiet` with nothing, `blocks` with a block of every kind, `full` with all a
 *   result can have, `sum` {a, b?} with structured content as its schema promises, `bare` with structured content that is an array.
 * - Tools that do not work: `fails` answers so, `throws` throws, `refuses` is an error of the protocol (4711).
 * - Tools that speak: `count` {to} reports progress and logs each step (`info`, and `debug` beside it), `wait` reports that it has begun
 *   and answers when it is given up, `waiting` says how many do, `touch` lists the tool `extra` or takes it away again, and tells that
 *   `kit://text` changed.
 * - Tools that ask: `elicit` for a name, `sample` for a word, `roots` for the roots, `interview` for a name and then an age.
 * - Resources `kit://text` (may be kept for 5 s) and `kit://bytes`; a template `kit://items/{id}{?verbose}`, whose ids `one` and `other` are
 *   completed; a prompt `review` {code, style?}, whose style is completed from the code.
 */
export class TestKit implements Toolkit {
  register(registrar: Registrar): void {
    answeringTools(registrar)
    speakingTools(registrar)
    askingTools(registrar)
    resourcesAndPrompts(registrar)
  }
}
