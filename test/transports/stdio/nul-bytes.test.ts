import { describe, expect, it } from 'vitest'
import { findNulByte } from '../../../src/transports/stdio/nul-bytes.ts'

describe('a NUL byte', () => {
  it.each([
    ['command', { command: 'a\0b' }],
    ['args[1]', { command: 'a', args: ['x', 'y\0'] }],
    ['env["NAME"]', { command: 'a', env: { OTHER: '', NAME: 'secret\0' } }],
    ['env["A\\u0000B"]', { command: 'a', env: { 'A\0B': '' } }],
    ['cwd', { command: 'a', cwd: '/tmp\0' }],
  ])('is found in %s', (where, options) => {
    expect(findNulByte(options)).toBe(where)
  })

  it('is not found where there is none', () => {
    expect(findNulByte({ command: 'a', args: [''], env: { A: '' }, cwd: '/' })).toBeUndefined()
    expect(findNulByte({ command: 'a' })).toBeUndefined()
  })
})
