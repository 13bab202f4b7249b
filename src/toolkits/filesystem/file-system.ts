import type { Registrar } from '../../server/registration/registrar.ts'
import type { Toolkit } from '../../server/registration/toolkit.ts'
import type { OpenDirectory } from '../root/directory.ts'
import { Root } from '../root/root.ts'
import { type FileSystemConfig, fileSystemSchema, readFileSystemConfig } from './config.ts'
import type { Files } from './files.ts'
import { deleteTool } from './tools/delete.ts'
import { editTool } from './tools/edit.ts'
import { globTool } from './tools/glob.ts'
import { grepTool } from './tools/grep.ts'
import { listTool } from './tools/list.ts'
import { mapTool } from './tools/map.ts'
import { mkdirTool } from './tools/mkdir.ts'
import { moveTool } from './tools/move.ts'
import { readTool } from './tools/read.ts'
import { statTool } from './tools/stat.ts'
import { writeTool } from './tools/write.ts'
import { Turns } from './turns.ts'

/**
 * Files below one directory: `read` `list` `glob` `stat` `grep` `map`, and unless it is read-only `write` `edit` `mkdir` `move`
 * `delete`. Nothing gets out of the directory, through no `..` and no symlink. On Linux not even by symlinks that other programs put
 * there while a call is under way; on other systems such a symlink is noticed before and after each use, and between the two it is
 * not. Files that are replaced are replaced at once. Results tell revisions, and changes heed them, as the leases layer has it.
 *
 * ```ts
 * server.plug(new FileSystem({ root: '/srv/docs' }))   // fs_read, fs_list, …
 * ```
 */
export class FileSystem implements Toolkit {
  /** What may be configured. */
  static readonly config = fileSystemSchema
  readonly defaultPrefix = 'fs'
  readonly #isReadOnly: boolean
  readonly #files: Files

  /** `open` is how directories are opened; default the best there is on this machine. @throws ConfigError */
  constructor(config: FileSystemConfig, open?: OpenDirectory) {
    const { root, readOnly, ...limits } = readFileSystemConfig(config)
    this.#isReadOnly = readOnly
    this.#files = { root: new Root(root, open), changes: new Turns(), ...limits }
  }

  register(registrar: Registrar): void {
    const tools = this.#isReadOnly ? readers : [...readers, ...writers]
    for (const register of tools) register(registrar, this.#files)
  }
}

const readers = [readTool, listTool, globTool, statTool, grepTool, mapTool]
const writers = [writeTool, editTool, mkdirTool, moveTool, deleteTool]
