import type { ServerCapabilities } from '../protocol/capabilities.ts'
import { tasksExtension } from '../protocol/tasks.ts'
import type { RegisteredPrompt } from './registration/prompt.ts'
import type { RegisteredResource, RegisteredTemplate } from './registration/resource.ts'
import { Shelf } from './registration/shelf.ts'
import type { RegisteredTool } from './registration/tool.ts'

/** What changed of an offer. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }

/** All that a server has, and who wants to know when it changes. */
export class Offer {
  readonly tools = new Shelf<RegisteredTool>('tool', () => this.tell({ kind: 'tools' }))
  readonly prompts = new Shelf<RegisteredPrompt>('prompt', () => this.tell({ kind: 'prompts' }))
  readonly resources = new Shelf<RegisteredResource>('resource', () => this.tell({ kind: 'resources' }))
  readonly templates = new Shelf<RegisteredTemplate>('template', () => this.tell({ kind: 'resources' }))
  readonly #listeners = new Set<(change: Change) => void>()
  #capabilities: ServerCapabilities | undefined
  #extensions: ServerCapabilities['extensions']

  /** A feature is declared when there is something of it. */
  get capabilities(): ServerCapabilities {
    this.#capabilities ??= this.#declare()
    return this.#capabilities
  }

  /** Extensions are of the modern era. */
  get legacyCapabilities(): ServerCapabilities {
    const { extensions: _modern, ...capabilities } = this.capabilities
    return capabilities
  }

  /** Returns what stops it. */
  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(change: Change): void {
    this.#capabilities = undefined
    for (const listener of [...this.#listeners]) listener(change)
  }

  #declare(): ServerCapabilities {
    // Once declared it stays: the tasks of a tool outlive it.
    if (this.#hasTaskTools) this.#extensions = { [tasksExtension]: {} }
    const hasResources = this.resources.size + this.templates.size > 0
    return {
      ...(this.tools.size > 0 && { tools: { listChanged: true } }),
      ...(this.prompts.size > 0 && { prompts: { listChanged: true } }),
      ...(hasResources && { resources: { listChanged: true, subscribe: true } }),
      ...(this.#hasCompleters && { completions: {} }),
      logging: {},
      ...(this.#extensions && { extensions: this.#extensions }),
    }
  }

  get #hasTaskTools(): boolean {
    return this.tools.entries.some(({ item }) => item.taskSupport !== 'forbidden')
  }

  get #hasCompleters(): boolean {
    const completable = [...this.prompts.entries, ...this.templates.entries]
    return completable.some(({ item }) => Object.keys(item.complete).length > 0)
  }
}
