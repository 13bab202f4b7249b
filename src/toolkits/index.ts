export type { FileSystemConfig } from './filesystem/config.ts'
export { FileSystem } from './filesystem/file-system.ts'
export type { ShellConfig } from './shell/config.ts'
export { Shell } from './shell/shell.ts'
