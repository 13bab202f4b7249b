import type { HttpResponse } from '../../../src/server/http/wire.ts'

/** A response without a wire: what was written to it, and a client that leaves when told. */
export class WrittenResponse implements HttpResponse {
  isCrowded = false
  status: number | undefined
  text = ''
  isEnded = false
  readonly #leavers: (() => void)[] = []

  answer(status: number, _headers: object, body = ''): void {
    this.status = status
    this.end(body)
  }

  begin(status: number): void {
    this.status = status
  }

  write(text: string): void {
    this.text += text
  }

  end(last = ''): void {
    this.write(last)
    this.isEnded = true
  }

  onLeft(listener: () => void): void {
    this.#leavers.push(listener)
  }

  leave(): void {
    for (const leave of this.#leavers) leave()
  }
}
