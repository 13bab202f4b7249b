import { expect, it } from 'vitest'
import { nearest, suggestion } from '../src/nearest.ts'

const names = ['read_file', 'write_file', 'list-all', 'x']

it.each([
  ['raed_file', 'read_file'],
  ['readFile', 'read_file'],
  ['write', 'write_file'],
  ['listall', 'list-all'],
  ['nonsense', undefined],
  ['read_fiel', 'read_file'],
  ['wriet_flie', 'write_file'],
  ['x'.repeat(1_000_000), undefined],
  ['', undefined],
])('%s means %s', (written, name) => {
  expect(nearest(written, names)).toBe(name)
})

it('gives way to all names when none is near, and to where they are listed when they are many', () => {
  expect(suggestion('nonsense', names, 'troupe tools')).toBe('There are: read_file, write_file, list-all, x.')
  expect(suggestion('nonsense', [], 'troupe tools')).toBe('There are none.')
  expect(suggestion('nonsense', [...names, ...names, ...names], 'troupe tools')).toBe(
    'troupe tools lists the 12 there are.',
  )
})
