import type { ToolkitClass } from './toolkit-class.ts'

/** The packs of this package by their names; each is loaded when it is wanted. */
export const builtIn: ReadonlyMap<string, () => Promise<ToolkitClass>> = new Map()
