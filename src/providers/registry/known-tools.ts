import { declarationsOf } from '../../bridge/declaration.ts'
import type { ToolDeclaration } from '../../bridge/provider.ts'
import type { McpClient } from '../../client/client.ts'
import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import type { Tool } from '../../protocol/tools.ts'

/** A connection that lists tools. */
type Lister = Pick<McpClient, 'listTools' | 'state'>

interface Listing {
  readonly client: Lister
  /** What had changed when it began. */
  readonly changes: number
  readonly declarations: Promise<readonly ToolDeclaration[]>
}

/** The tools of a server as they were listed last: what stays published while it is down. */
export class KnownTools {
  readonly #onChanged: () => void
  #declarations: readonly ToolDeclaration[] | undefined
  #tools: ReadonlyMap<string, Tool> = new Map()
  /** As text, to tell whether a list is another one. */
  #text = ''
  /** Whose word can be relied on until it says otherwise. */
  #fresh: Lister | undefined
  /** Who lists now: the last generation. */
  #lister: Lister | undefined
  /** Counts what has changed. */
  #changes = 0
  #listing: Listing | undefined

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
    this.#changes += 1
  }

  /**
   * As the server of this connection lists them, or listed them after the last change that was known when this was called. One list
   * at a time: a server that tells of changes faster than it lists is asked no more often than it answers.
   * @throws what `listTools` throws
   */
  async list(client: Lister): Promise<readonly ToolDeclaration[]> {
    if (this.#declarations && this.#fresh === client) return this.#declarations
    this.#lister = client
    const changes = this.#changes
    while (this.#listing?.client === client && this.#listing.changes < changes)
      await this.#listing.declarations.catch(() => {})
    const listing = this.#listing?.client === client ? this.#listing : this.#begin(client)
    return listing.declarations
  }

  #begin(client: Lister): Listing {
    const changes = this.#changes
    const end = () => {
      if (this.#listing === listing) this.#listing = undefined
    }
    const listing: Listing = { client, changes, declarations: this.#ask(client, changes).finally(end) }
    this.#listing = listing
    return listing
  }

  async #ask(client: Lister, changes: number): Promise<readonly ToolDeclaration[]> {
    const tools = await listed(client)
    const isOfDeadGeneration = client !== this.#lister
    if (isOfDeadGeneration && this.#declarations) return this.#declarations
    // Only who tells of changes may be believed until then.
    const isSteady = changes === this.#changes && client.state.context.capabilities.tools?.listChanged
    if (isSteady) this.#fresh = client
    return this.#adopt(tools)
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
async function listed(client: Lister): Promise<readonly Tool[]> {
  try {
    return await client.listTools()
  } catch (failure) {
    if (failure instanceof ProtocolError && failure.code === ErrorCode.MethodNotFound) return []
    throw failure
  }
}
