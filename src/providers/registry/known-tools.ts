import { declarationsOf } from '../../bridge/declaration.ts'
import type { ToolDeclaration } from '../../bridge/provider.ts'
import type { McpClient } from '../../client/client.ts'
import type { Tool } from '../../protocol/tools.ts'

/** The tools of a server as they were listed last: what stays published while it is down. */
export class KnownTools {
  readonly #onChanged: () => void
  #declarations: readonly ToolDeclaration[] | undefined
  #tools: ReadonlyMap<string, Tool> = new Map()
  /** As text, to tell whether a list is another one. */
  #text = ''
  /** Whose word can be relied on until it says otherwise. */
  #fresh: McpClient | undefined
  #listing: { readonly client: McpClient; readonly done: Promise<readonly ToolDeclaration[]> } | undefined

  /** `onChanged`: the tools are others than before. */
  constructor(onChanged: () => void) {
    this.#onChanged = onChanged
  }

  /** Undefined before the first list. */
  get declarations(): readonly ToolDeclaration[] | undefined {
    return this.#declarations
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /** The next list asks the server. */
  expire(): void {
    this.#fresh = undefined
    this.#listing = undefined
  }

  /** As the server of this connection lists them. @throws what `listTools` throws */
  async list(client: McpClient): Promise<readonly ToolDeclaration[]> {
    if (this.#declarations && this.#fresh === client) return this.#declarations
    if (this.#listing?.client !== client) this.#listing = { client, done: this.#ask(client) }
    return this.#listing.done
  }

  async #ask(client: McpClient): Promise<readonly ToolDeclaration[]> {
    const listing = () => this.#listing?.client === client
    try {
      const tools = await client.listTools()
      // Expired, or of a dead generation: a newer list knows better.
      if (!listing() && this.#declarations) return this.#declarations
      // Only who tells of changes may be believed until then.
      if (client.state.context.capabilities.tools?.listChanged) this.#fresh = client
      return this.#adopt(tools)
    } finally {
      if (listing()) this.#listing = undefined
    }
  }

  #adopt(tools: readonly Tool[]): readonly ToolDeclaration[] {
    const text = JSON.stringify(tools)
    if (this.#declarations && text === this.#text) return this.#declarations
    const declarations = declarationsOf(tools)
    this.#declarations = declarations
    this.#tools = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
    this.#text = text
    this.#onChanged()
    return declarations
  }
}
