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

  bad(reason: string, options?: ErrorOptions): ConfigError {
    return this.#source.bad(this.path, reason, options)
  }

  /** The complaint of what knows the value that stands here, but not where it stands. */
  holding({ path, message }: ConfigError): ConfigError {
    const reason = message.slice((path.join('.') || 'options').length + 2)
    return path.reduce<Place>((place, key) => place.at(key), this).bad(reason)
  }
}
