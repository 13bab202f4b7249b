import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Terminal } from '../../src/cli/io.ts'

/** What a person waits to read, and the keys they press then. */
export type Turn = readonly [seen: string, keys: string]

export const up = '\u001b[A'
export const down = '\u001b[B'
export const enter = '\r'
export const interrupt = '\u0003'

/** Somebody at a terminal who presses keys once they have read what they wait for, one turn after the other. */
export class ScriptedPerson implements Terminal {
  readonly input = new PassThrough()
  readonly output = Object.assign(new PassThrough(), { columns: 200, rows: 50 })
  readonly opened: string[] = []
  readonly #turns: Turn[]
  #unread = ''
  #all = ''

  constructor(...turns: Turn[]) {
    this.#turns = [...turns]
    this.output.on('data', (chunk) => this.#read(`${chunk}`))
  }

  /** All that was ever shown. */
  get shown(): string {
    return stripVTControlCharacters(this.#all)
  }

  /** As the terminal got it. */
  get raw(): string {
    return this.#all
  }

  /** What was waited for and never came. */
  get left(): readonly Turn[] {
    return this.#turns
  }

  /** What they do next, once they know what. */
  expect(turn: Turn): void {
    this.#turns.push(turn)
    this.#act()
  }

  async openUrl(url: string): Promise<void> {
    this.opened.push(url)
  }

  #read(chunk: string): void {
    this.#all += chunk
    this.#unread += chunk
    this.#act()
  }

  #act(): void {
    const [turn] = this.#turns
    if (!turn || !stripVTControlCharacters(this.#unread).includes(turn[0])) return
    this.#turns.shift()
    this.#unread = ''
    // Nobody presses a key while the question is still being drawn.
    setImmediate(() => this.input.write(turn[1]))
  }
}
