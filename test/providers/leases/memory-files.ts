import { createHash } from 'node:crypto'
import type { ExecuteOptions, Provider, ToolCall, ToolDeclaration, ToolResult } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { readRevision, revisionKey } from '../../../src/protocol/revision.ts'
import { declared } from '../registry/provider.ts'

type Arguments = { readonly [name: string]: string }

/** Files in memory, as the FileSystem pack has them on a disk: revisions are told, and what is expected is checked before any effect. */
export class MemoryFiles implements Provider {
  readonly files = new Map<string, string>()
  /** Every batch it got. */
  readonly batches: (readonly ToolCall[])[] = []
  /** What happens in the middle of the next batch. */
  meanwhile: (() => Promise<unknown>) | undefined

  constructor(files: Arguments = {}) {
    for (const [path, content] of Object.entries(files)) this.files.set(path, content)
  }

  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    return ['fs_read', 'fs_write', 'fs_edit', 'fs_mkdir', 'fs_move', 'fs_delete', 'lock_acquire'].map(
      declared,
    )
  }

  async executeToolCalls(
    calls: readonly ToolCall[],
    _options?: ExecuteOptions,
  ): Promise<readonly ToolResult[]> {
    this.batches.push(calls)
    await this.meanwhile?.()
    return calls.map((call) => ({ role: 'tool', tool_call_id: call.id, ...this.#run(call) }))
  }

  #run({ function: { name, arguments: args }, meta }: ToolCall) {
    const { path = '', from = path, to = path, content = '' } = args as Arguments
    const target = absolute(from)
    const current = this.#revisionOf(target)
    if (name === 'fs_read') {
      const text = this.files.get(target)
      return text === undefined ? failure(`${target} is not there`) : success(text, current)
    }
    const expected = readRevision(meta)
    if (expected === null && current !== null)
      return failure(`${target} is there already, and you have not read it: read it first`)
    if (expected !== undefined && expected !== current)
      return failure(`${target} has changed since you read it: read it again`)
    const old = this.files.get(target) ?? ''
    if (name === 'fs_delete' || name === 'fs_move') this.files.delete(target)
    if (name === 'fs_move') this.files.set(absolute(to), old)
    if (name === 'fs_edit') this.files.set(target, `${old}${content}`)
    if (name === 'fs_write') this.files.set(target, content)
    return success(`${name} is done`, name === 'fs_delete' ? null : this.#revisionOf(absolute(to)))
  }

  #revisionOf(path: string): string | null {
    const text = this.files.get(path)
    return text === undefined ? null : createHash('sha256').update(text).digest('hex')
  }
}

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/w/${path}`
}

function success(
  content: string,
  revision: string | null,
): { content: string; is_error: boolean; meta: JsonObject } {
  return { content, is_error: false, meta: { [revisionKey]: revision } }
}

function failure(content: string) {
  return { content, is_error: true }
}
