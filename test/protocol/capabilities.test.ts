import { describe, expect, it } from 'vitest'
import {
  declaresElicitation,
  declaresSampling,
  deriveClientCapabilities,
} from '../../src/protocol/capabilities.ts'

describe('what a client declares', () => {
  it('is what it has hooks for', () => {
    expect(deriveClientCapabilities([])).toEqual({})
    expect(deriveClientCapabilities(['sample'])).toEqual({ sampling: {} })
    expect(deriveClientCapabilities(['elicit', 'sample', 'listRoots'])).toEqual({
      elicitation: { form: {} },
      sampling: {},
      roots: {},
    })
  })

  it('is replaced member by member', () => {
    expect(deriveClientCapabilities(['elicit', 'sample'], { elicitation: { form: {}, url: {} } })).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: {},
    })
    expect(deriveClientCapabilities(['elicit'], { elicitation: undefined })).toEqual({})
  })
})

describe('an elicitation', () => {
  it.each([
    [undefined, undefined, false],
    [undefined, 'url', false],
    [{}, undefined, true],
    [{}, 'form', true],
    [{}, 'url', false],
    [{ form: {} }, 'form', true],
    [{ form: {} }, 'url', false],
    [{ url: {} }, 'url', true],
    [{ url: {} }, 'form', false],
    [{ url: {} }, undefined, false],
    [{ form: {}, url: {} }, 'url', true],
  ])('of a client that declares %o, in mode %s, was declared: %s', (elicitation, mode, isDeclared) => {
    expect(declaresElicitation({ elicitation }, mode)).toBe(isDeclared)
  })
})

describe('a sampling request', () => {
  it.each([
    [undefined, undefined, false],
    [{}, undefined, true],
    [{}, [], false],
    [{ tools: {} }, [], true],
  ])('of a client that declares %o, with tools %j, was declared: %s', (sampling, tools, isDeclared) => {
    expect(declaresSampling({ sampling }, tools)).toBe(isDeclared)
  })
})
