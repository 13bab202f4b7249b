import { describe, expect, it } from 'vitest'
import { StderrRing } from '../../../src/transports/stdio/stderr-ring.ts'

function ringOf(size: number, ...chunks: string[]) {
  const lines: string[] = []
  const ring = new StderrRing(size, (line) => lines.push(line))
  for (const chunk of chunks) ring.push(Buffer.from(chunk))
  ring.end()
  return { lines, tail: ring.tail() }
}

describe('the lines of stderr', () => {
  it('are all handed on, and the last are kept', () => {
    const { lines, tail } = ringOf(2, 'one\ntw', 'o\nthree\nfour')
    expect(lines).toEqual(['one', 'two', 'three', 'four'])
    expect(tail).toEqual(['three', 'four'])
  })

  it('are kept without blank ones and carriage returns', () => {
    expect(ringOf(3, 'one\r\n\r\n   \ntwo\n\n').tail).toEqual(['one', 'two'])
  })

  it('are cut at 8 KiB, so that one without a newline costs no memory', () => {
    const { lines } = ringOf(5, 'z'.repeat(20_000), 'z'.repeat(20_000), '\nnext\n')
    expect(lines).toEqual([`${'z'.repeat(8192)}…`, 'next'])
  })

  it('are not kept when none are wanted', () => {
    expect(ringOf(0, 'one\ntwo\n')).toEqual({ lines: ['one', 'two'], tail: [] })
  })
})
