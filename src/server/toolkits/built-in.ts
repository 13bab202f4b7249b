import type { ToolkitClass } from './toolkit-class.ts'

/** The packs of this package by their names; each is loaded when it is wanted. */
export const builtIn: ReadonlyMap<string, () => Promise<ToolkitClass>> = new Map([
  ['FileSystem', fileSystem],
  ['Shell', shell],
])

async function fileSystem(): Promise<ToolkitClass> {
  return (await import('../../toolkits/filesystem/file-system.ts')).FileSystem
}

async function shell(): Promise<ToolkitClass> {
  return (await import('../../toolkits/shell/shell.ts')).Shell
}
