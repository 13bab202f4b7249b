import { describe, expect, it } from 'vitest'
import { bytes } from '../../../src/cli/text/bytes.ts'
import { layoutJson } from '../../../src/cli/text/layout-json.ts'
import { nearest, suggestion } from '../../../src/cli/text/nearest.ts'
import { oneLine, printable } from '../../../src/cli/text/printable.ts'
import { progressLine } from '../../../src/cli/text/progress-line.ts'
import { styleFor } from '../../../src/cli/text/style.ts'
import { summary } from '../../../src/cli/text/summary.ts'

const plain = styleFor({ isTerminal: false, columns: undefined, write: () => {} }, {})

describe('text for a terminal', () => {
  it('loses its colours and shows what would command the terminal', () => {
    expect(printable('\u001b[31mred\u001b[0m\u001b]52;c;aGk=\u0007 \u009b2J\r\n\ttab')).toBe(
      'red^[]52;c;aGk=^G \\x9b2J\n\ttab',
    )
  })

  it('stands on one line where it has to', () => {
    expect(oneLine(' a\n b\t c ')).toBe('a b c')
  })
})

describe('a summary', () => {
  const description = 'Reads a file. Fails when there is none. Returns its text.\nMore.'

  it('is the first line when that fits, else as many sentences as do, else words', () => {
    expect(summary(description, undefined)).toBe('Reads a file. Fails when there is none. Returns its text.')
    expect(summary(description, 50)).toBe('Reads a file. Fails when there is none.')
    expect(summary(description, 10)).toBe('Reads a…')
  })
})

describe('the nearest name', () => {
  const names = ['read_file', 'write_file', 'list-all', 'x']

  it.each([
    ['raed_file', 'read_file'],
    ['readFile', 'read_file'],
    ['write', 'write_file'],
    ['listall', 'list-all'],
    ['nonsense', undefined],
  ])('%s means %s', (written, name) => {
    expect(nearest(written, names)).toBe(name)
  })

  it('gives way to all of them when none is near', () => {
    expect(suggestion('nonsense', names, 'it')).toBe('There are: read_file, write_file, list-all, x.')
    expect(suggestion('nonsense', [], 'it')).toBe('There are none.')
    expect(suggestion('nonsense', [...names, ...names, ...names], 'troupe tools')).toBe(
      'troupe tools lists the 12 there are.',
    )
  })
})

describe('a size', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1200, '1.2 kB'],
    [12_345, '12 kB'],
    [999_600, '1.0 MB'],
  ])('%i is %s', (count, text) => {
    expect(bytes(count)).toBe(text)
  })
})

describe('JSON for people', () => {
  const value = { short: [1, { a: null }], long: { first: 'x'.repeat(40), second: 'y'.repeat(40) }, none: [] }

  it('breaks only what is too long, and stays the same value', () => {
    const text = layoutJson(value, 80)
    expect(text.split('\n')).toHaveLength(8)
    expect(text).toContain('"short": [1, { "a": null }],')
    expect(JSON.parse(text)).toEqual(value)
  })
})

describe('a progress report', () => {
  it('is a bar where the total is known, and always fits its line', () => {
    expect(progressLine({ progress: 1, total: 2, message: 'half' }, 80, plain)).toBe(
      '████████████░░░░░░░░░░░░ 1/2 half',
    )
    expect(progressLine({ progress: 7 }, 80, plain)).toBe('7')
    expect(progressLine({ progress: 9, total: 2 }, 80, plain)).toMatch(/^█{24} 9\/2$/)
    expect(progressLine({ progress: 1, total: 2, message: 'x'.repeat(100) }, 60, plain)).toHaveLength(59)
  })
})
