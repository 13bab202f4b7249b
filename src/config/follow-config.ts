import { isDeepStrictEqual } from 'node:util'
import { type Clock, systemClock } from '../clock.ts'
import { thrownMessage } from '../thrown-message.ts'
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

/** A configuration that is read again whenever its files changed and stand still; a bad one leaves the last good one in force. */
export class FollowedConfig implements Disposable {
  readonly #path: string
  readonly #options: FollowOptions
  readonly #clock: Clock
  #config: Config
  #watched: readonly string[] = []
  #stopWatching: () => void = () => {}
  #timer: unknown
  #turn: Promise<void> = Promise.resolve()
  #isStopped = false

  /** @throws ConfigError when it is bad from the start */
  static async open(path: string, options: FollowOptions): Promise<FollowedConfig> {
    const followed = new FollowedConfig(path, options, await loadConfig(path, options.env))
    try {
      followed.#config = await followed.#read()
    } catch (error) {
      followed[Symbol.dispose]()
      throw error
    }
    return followed
  }

  private constructor(path: string, options: FollowOptions, config: Config) {
    this.#path = path
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#config = config
    this.#watched = config.files
  }

  /** The last good one. */
  get config(): Config {
    return this.#config
  }

  [Symbol.dispose](): void {
    this.#isStopped = true
    this.#clock.clearTimeout(this.#timer)
    this.#stopWatching()
  }

  /** What is read is watched already: nothing changes unseen in between. Watched anew, as links may lead elsewhere by now. */
  async #read(): Promise<Config> {
    for (;;) {
      this.#watch()
      const config = await loadConfig(this.#path, this.#options.env)
      if (this.#isStopped || isDeepStrictEqual(config.files, this.#watched)) return config
      this.#watched = config.files
    }
  }

  #watch(): void {
    this.#stopWatching()
    this.#stopWatching = () => {}
    if (this.#isStopped) return
    const files = this.#watched
    try {
      this.#stopWatching = watchFiles(files, () => this.#changed())
    } catch (error) {
      this.#options.onWarn(`Changes of ${files.join(', ')} go unnoticed: ${thrownMessage(error)}`)
    }
  }

  #changed(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#timer = this.#clock.setTimeout(() => {
      this.#turn = this.#turn.then(() => this.#reload())
    }, settleMs)
  }

  async #reload(): Promise<void> {
    const { onChange, onWarn } = this.#options
    const before = this.#config
    try {
      const after = await this.#read()
      if (this.#isStopped) return
      this.#config = after
    } catch (error) {
      if (this.#isStopped) return
      onWarn(`${thrownMessage(error)}; what was configured before stays in force`)
      return
    }
    await onChange(this.#config, before).catch((error) => onWarn(thrownMessage(error)))
  }
}

/** Whoever saves a file may write it in pieces. */
const settleMs = 100
