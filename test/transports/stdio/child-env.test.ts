import { describe, expect, it } from 'vitest'
import { childEnv, searchPath } from '../../../src/transports/stdio/child-env.ts'

describe("a server's environment", () => {
  it('is the given one over the inherited one', () => {
    const env = childEnv({ B: 'given', C: 'given' }, { A: 'old', B: 'old', GONE: undefined }, 'linux')
    expect(env).toEqual({ A: 'old', B: 'given', C: 'given' })
  })

  it('keeps names apart that differ in case, except on Windows', () => {
    expect(childEnv({ PATH: 'given' }, { Path: 'old' }, 'linux')).toEqual({ PATH: 'given', Path: 'old' })
    expect(childEnv({ PATH: 'given' }, { Path: 'old' }, 'win32')).toEqual({ PATH: 'given' })
  })

  it('has its PATH under any case on Windows only', () => {
    expect(searchPath({ Path: 'x' }, 'win32')).toBe('x')
    expect(searchPath({ Path: 'x' }, 'linux')).toBeUndefined()
  })
})
