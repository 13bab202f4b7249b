import type { ConfigError } from '../errors.ts'
import type { Path, Source } from './source.ts'

/** Where a value stands in its source. */
export class Place {
  readonly path: Path
  readonly #source: Source

  constructor(source: Source, path: Path = []) {
    this.#source = source
    this.path = path
  }

  at(key: string): Place {
    return new Place(this.#source, [...this.path, key])
  }

  bad(reason: string): ConfigError {
    return this.#source.bad(this.path, reason)
  }
}
