import * as clack from '@clack/prompts'
import type { Terminal } from '../io.ts'
import { hang } from '../text/hang.ts'
import type { Style } from '../text/style.ts'

/** One of several things to choose; its label is printable. */
export interface Choice<Value> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

/** Puts one question after the other to the person at a terminal. All texts it is given are printable. */
export class Prompter {
  readonly style: Style
  readonly #terminal: Terminal

  constructor(terminal: Terminal, style: Style) {
    this.#terminal = terminal
    this.style = style
  }

  /** Says something above the next question. No line of it that is broken begins like another. */
  say(text: string): void {
    const { output } = this.#terminal
    output.write(`${hang(text, output.columns ?? 80)}\n`)
  }

  /** Undefined: none, by Esc or ^C, or because the question was withdrawn. */
  async choose<Value extends string>(
    message: string,
    options: readonly Choice<Value>[],
    initialValue: Value | undefined,
    signal: AbortSignal,
  ): Promise<Value | undefined> {
    const choices = options as clack.SelectOptions<Value>['options']
    return answerOf(
      await clack.select<Value>({
        ...this.#common(signal),
        message,
        options: choices,
        ...(initialValue && { initialValue }),
      }),
    )
  }

  /** Any number of them; undefined likewise. */
  async chooseMany(
    message: string,
    options: readonly Choice<string>[],
    initialValues: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const choices = { options: [...options], initialValues: [...initialValues] }
    return answerOf(
      await clack.multiselect({ ...this.#common(signal), ...choices, message, required: false }),
    )
  }

  /** A line of text, asked for until nothing is wrong with it; undefined likewise. */
  async write(
    message: string,
    complaintAbout: (text: string) => string | undefined,
    initialValue: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const validate = (text = '') => complaintAbout(text)
    const text = answerOf(
      await clack.text({ ...this.#common(signal), message, validate, ...(initialValue && { initialValue }) }),
    )
    return text
  }

  openUrl(url: string): Promise<void> {
    return this.#terminal.openUrl(url)
  }

  #common(signal: AbortSignal): clack.CommonOptions {
    const { input, output } = this.#terminal
    return { input, output, signal }
  }
}

function answerOf<Answer>(answer: Answer | typeof clack.CANCEL_SYMBOL): Answer | undefined {
  return clack.isCancel(answer) ? undefined : answer
}
