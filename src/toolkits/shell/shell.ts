import type { Registrar } from '../../server/registration/registrar.ts'
import type { Toolkit } from '../../server/registration/toolkit.ts'
import type { OpenDirectory } from '../root/directory.ts'
import { Root } from '../root/root.ts'
import { readShellConfig, type ShellConfig, shellSchema } from './config.ts'
import { runTool } from './run-tool.ts'

/**
 * Runs programs that are on a list, each by its name and an array of arguments: there is no shell, so nothing is expanded, split or
 * chained. They start below a directory, with few environment variables, without input, and end with all of their process group: when
 * their time is over, when they write too much, when nobody waits any more, and when they are done. What leaves the group outlives
 * them (`setsid`, daemons).
 *
 * ```ts
 * server.plug(new Shell({ root: '/srv/work', allow: ['git', 'ls'] }))   // sh_run
 * ```
 */
export class Shell implements Toolkit {
  /** What may be configured. */
  static readonly config = shellSchema
  readonly defaultPrefix = 'sh'
  readonly #config: Required<ShellConfig>
  readonly #root: Root

  /** `open` is how directories are opened; default the best there is on this machine. @throws ConfigError */
  constructor(config: ShellConfig, open?: OpenDirectory) {
    this.#config = readShellConfig(config)
    this.#root = new Root(this.#config.root, open)
  }

  register(registrar: Registrar): void {
    runTool(registrar, this.#root, this.#config)
  }
}
