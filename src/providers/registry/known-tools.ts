import { declarationsOf } from '../../bridge/declaration.ts'
import type { ToolDeclaration } from '../../bridge/provider.ts'
import type { McpClient } from '../../client/client.ts'
import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
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
  #listing: { readonly client: McpClient; readonly tools: Promise<readonly Tool[]> } | undefined

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
    if (this.#listing?.client !== client) this.#listing = { client, tools: listed(client) }
    const listing = this.#listing
    try {
      const tools = await listing.tools
      // Expired, of a dead generation, or adopted by another who waited for it.
      if (listing !== this.#listing && this.#declarations) return this.#declarations
      // Only who tells of changes may be believed until then.
      if (client.state.context.capabilities.tools?.listChanged) this.#fresh = client
      return this.#adopt(tools)
    } finally {
      if (listing === this.#listing) this.#listing = undefined
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

/** A server without tools is none that cannot be listed. */
async function listed(client: McpClient): Promise<readonly Tool[]> {
  try {
    return await client.listTools()
  } catch (failure) {
    if (failure instanceof ProtocolError && failure.code === ErrorCode.MethodNotFound) return []
    throw failure
  }
}
