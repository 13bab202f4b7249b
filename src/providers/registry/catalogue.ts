import type { ExecuteOptions, ToolCall, ToolDeclaration } from '../../bridge/provider.ts'
import { sentence } from '../../bridge/sentence.ts'
import { mayBeOf, publishedNames } from '../../bridge/tool-names.ts'
import { unknownToolText } from '../../bridge/unknown-tool-text.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { Entry } from './entry.ts'
import { TakenOut } from './taken-out.ts'
import { untilAborted } from './until-aborted.ts'

/** Where a published name leads. */
export interface Route {
  readonly entry: Entry
  /** The tool as its own provider names it. */
  readonly name: string
}

export interface CatalogueParts {
  readonly separator: string
  /** `throw`: a provider that cannot be listed fails the list. `omit`: it is left out, with a warning. */
  readonly onListFailure: 'throw' | 'omit'
  readonly warn: (message: string) => void
}

interface Tool extends Route {
  readonly prefix: string
  readonly declaration: ToolDeclaration
}

type Listed = readonly [entry: Entry, tools: readonly ToolDeclaration[]]

interface Table {
  readonly routes: ReadonlyMap<string, Tool>
  readonly declarations: readonly ToolDeclaration[]
  /** By entry: the published name of each of its tools, by its own. */
  readonly published: ReadonlyMap<Entry, ReadonlyMap<string, string>>
}

/** The tools of all entries under their published names, and the way back. No name is ever parsed. */
export class Catalogue {
  readonly #parts: CatalogueParts
  #table: Table = { routes: new Map(), declarations: [], published: new Map() }
  #listed: readonly Listed[] = []
  #failures: ReadonlyMap<Entry, unknown> = new Map()
  /** What was dropped: a list that is under way may still bring it. */
  readonly #dropped = new WeakSet<Entry>()
  readonly #takenOut = new TakenOut()
  /** Counts the lists that began. */
  #lists = 0
  /** The one that is published. */
  #adopted = 0
  /** Counts what has changed. */
  #changes = 0
  /** The last change that everything published was listed after. */
  #listedAfter = -1

  constructor(parts: CatalogueParts) {
    this.#parts = parts
  }

  /** Lists every entry. What could be listed is known afterwards also when it throws. @throws ProviderFailedError */
  async list(entries: readonly Entry[]): Promise<readonly ToolDeclaration[]> {
    await this.#refresh(entries)
    for (const failure of this.#failures.values()) this.#complain(failure)
    return this.#table.declarations
  }

  /**
   * Makes sure that tools a model may know of are found. Lists only if there is hope, and waits for none but those whose prefix the
   * names have; no longer than the signal lets it.
   */
  async learn(
    calls: readonly ToolCall[],
    entries: readonly Entry[],
    { signal, asOf }: ExecuteOptions,
  ): Promise<void> {
    const mayBeStale = this.#listedAfter !== this.#changes || entries.some(({ isSilent }) => isSilent)
    if (!mayBeStale) return
    const isUnknown = (name: unknown): name is string =>
      typeof name === 'string' && !this.route(name) && !this.wasTakenOut(name, asOf)
    const unknown = calls.map((call): unknown => call?.function?.name).filter(isUnknown)
    const meant = entries.filter((entry) => unknown.some((name) => this.#mayBeOf(entry, name)))
    if (meant.length > 0) await untilAborted(this.#refresh(entries, meant), signal)
  }

  /** Something has changed. */
  expire(): void {
    this.#changes += 1
  }

  /** The tools of an entry are no more. */
  drop(entry: Entry): void {
    this.#takenOut.add(entry.prefix, this.publishedBy(entry))
    this.#dropped.add(entry)
    this.#changes += 1
    this.#adopt(this.#listed)
  }

  route(name: string): Route | undefined {
    return this.#table.routes.get(name)
  }

  /** Whether what the name led to was taken out since: whatever it leads to now is something else. */
  wasTakenOut(name: string, asOf: ExecuteOptions['asOf']): boolean {
    return asOf !== undefined && this.#takenOut.has(name, this.route(name)?.entry.prefix, asOf)
  }

  isDropped(entry: Entry): boolean {
    return this.#dropped.has(entry)
  }

  /** The published names of tools of an entry; without `names` of all. */
  publishedBy(entry: Entry, names?: readonly string[]): readonly string[] {
    const published = this.#table.published.get(entry)
    if (!published) return []
    return names ? names.flatMap((name) => published.get(name) ?? []) : [...published.values()]
  }

  mayRunAtOnce({ entry, name }: Route): Promise<boolean> {
    return entry.mayRunAtOnce(name)
  }

  /** Why a tool cannot be called: its provider is in trouble, or there is none. */
  unknownTool(name: string): string {
    const inTrouble = [...this.#failures]
      .filter(([entry]) => this.#mayBeOf(entry, name))
      .sort(([one], [other]) => other.prefix.length - one.prefix.length)
    const [failure] = inTrouble
    if (failure)
      return `The tool ${name} was not called. ${sentence(thrownMessage(failure[1]))} Nothing was done.`
    return unknownToolText(name, [...this.#table.routes.keys()])
  }

  /** Lists all, and waits for those that are meant; the others follow, and are published with them once all are there. */
  async #refresh(entries: readonly Entry[], meant: readonly Entry[] = entries): Promise<void> {
    const turn = ++this.#lists
    const change = this.#changes
    // Who has not answered yet has the tools it had.
    const lists = new Map(this.#listed)
    const failures = new Map(this.#failures)
    const ask = async (entry: Entry) => {
      try {
        lists.set(entry, await entry.list())
        failures.delete(entry)
      } catch (failure) {
        failures.set(entry, failure)
      }
    }
    const asked = new Map(entries.map((entry) => [entry, ask(entry)]))
    const all = Promise.all(asked.values()).then(() => {
      // A list that began later, and is published already, knows better.
      if (turn < this.#adopted) return
      this.#adopted = turn
      this.#publish(entries, lists, failures)
      if (this.#failures.size === 0) this.#listedAfter = change
    })
    if (meant.length === entries.length) return all
    await Promise.all(meant.map((entry) => asked.get(entry)))
    if (turn > this.#adopted) this.#publish(entries, lists, failures)
  }

  #publish(
    entries: readonly Entry[],
    lists: ReadonlyMap<Entry, Listed[1]>,
    failures: ReadonlyMap<Entry, unknown>,
  ): void {
    this.#failures = new Map([...failures].filter(([entry]) => !this.#dropped.has(entry)))
    this.#adopt(entries.flatMap((entry) => ofEntry(entry, lists.get(entry))))
  }

  #mayBeOf({ prefix }: Entry, name: string): boolean {
    return mayBeOf(prefix, this.#parts.separator, name)
  }

  #complain(failure: unknown): void {
    if (this.#parts.onListFailure === 'throw') throw failure
    this.#parts.warn(`${thrownMessage(failure)}; it is left out of the catalogue`)
  }

  #adopt(lists: readonly Listed[]): void {
    const listed = lists.filter(([entry]) => !this.#dropped.has(entry))
    if (!isSame(listed, this.#listed)) this.#table = tableOf(listed, this.#parts.separator)
    this.#listed = listed
  }
}

function ofEntry(entry: Entry, tools: readonly ToolDeclaration[] | undefined): Listed[] {
  return tools ? [[entry, tools]] : []
}

function tableOf(listed: readonly Listed[], separator: string): Table {
  const tools = listed.flatMap(([entry, declarations]) =>
    declarations.map((declaration): Tool => {
      return { entry, prefix: entry.prefix, name: declaration.function.name, declaration }
    }),
  )
  const routes = publishedNames(tools, separator)
  const published = new Map(listed.map(([entry]) => [entry, new Map<string, string>()]))
  for (const [name, tool] of routes) published.get(tool.entry)?.set(tool.name, name)
  return { routes, published, declarations: [...routes].map(renamed) }
}

function renamed([name, { declaration }]: readonly [string, Tool]): ToolDeclaration {
  return { ...declaration, function: { ...declaration.function, name } }
}

/** Entries hand out the same array while nothing changed. */
function isSame(one: readonly Listed[], other: readonly Listed[]): boolean {
  return (
    one.length === other.length &&
    one.every(([entry, tools], index) => other[index]?.[0] === entry && other[index]?.[1] === tools)
  )
}
