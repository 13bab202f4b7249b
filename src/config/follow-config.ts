import type { Clock } from '../clock.ts'
import type { Config } from './config.ts'
import { loadConfig } from './load-config.ts'
import type { Variables } from './variables.ts'
import { watchFiles } from './watch-files.ts'

export interface FollowOptions {
  readonly env: Variables['env']
  /** Is waited for before the next change is looked at. */
  readonly onChange: (after: Config, before: Config) => Promise<void>
  /** A file that became bad, with what to do about it. */
  readonly onWarn: (message: string) => void
  readonly clock?: Clock
}

/** A configuration that is read again whenever one of its files changes; a bad one leaves the last good one in force. */
export class FollowedConfig implements Disposable {
  readonly #path: string
  readonly #options: FollowOptions
  #config: Config
  #stopWatching: () => void
  #turn: Promise<void> = Promise.resolve()
  #isStopped = false

  /** @throws ConfigError when it is bad from the start */
  static async open(path: string, options: FollowOptions): Promise<FollowedConfig> {
    return new FollowedConfig(path, options, await loadConfig(path, options.env))
  }

  private constructor(path: string, options: FollowOptions, config: Config) {
    this.#path = path
    this.#options = options
    this.#config = config
    this.#stopWatching = this.#watch()
  }

  /** The last good one. */
  get config(): Config {
    return this.#config
  }

  /** A change under way is still seen through. */
  [Symbol.dispose](): void {
    this.#isStopped = true
    this.#stopWatching()
  }

  #watch(): () => void {
    const again = () => {
      this.#turn = this.#turn.then(() => this.#reload())
    }
    return watchFiles(this.#config.files, again, { clock: this.#options.clock })
  }

  async #reload(): Promise<void> {
    if (this.#isStopped) return
    const { env, onChange, onWarn } = this.#options
    const before = this.#config
    try {
      this.#config = await loadConfig(this.#path, env)
      // An entry may have got another envFile.
      this.#stopWatching()
      this.#stopWatching = this.#watch()
      await onChange(this.#config, before)
    } catch (error) {
      onWarn(
        `${error instanceof Error ? error.message : String(error)}; what was configured before stays in force`,
      )
    }
  }
}
