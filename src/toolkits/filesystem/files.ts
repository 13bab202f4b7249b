import type { ToolAnnotations } from '../../protocol/tools.ts'
import type { Root } from '../root/root.ts'
import type { FileSystemConfig } from './config.ts'
import type { Turns } from './turns.ts'

/** What the tools of one pack work on. */
export interface Files extends Omit<Required<FileSystemConfig>, 'root' | 'readOnly'> {
  readonly root: Root
  /** Changes happen one after the other: what one of them looked at stays so until it is done. */
  readonly changes: Turns
}

/** A parameter of most tools. */
export const path = {
  type: 'string',
  description: 'Relative to the root, or absolute and inside of it; without ".."',
  required: true,
} as const

/** Of tools that begin at the root where nothing else is said. */
export const startPath = { ...path, required: false, default: '.' } as const

export const reading: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
