import { describe, expect, it } from 'vitest'
import { ConfigError, Grants, type Rule } from '../../../src/index.ts'

const first: Rule = { tool: 'fs_write', decision: 'allow', under: '/w' }
const second: Rule = { tool: 'sh_run', decision: 'deny' }

describe('a book of grants', () => {
  it('keeps what it is told, in order, and each once', () => {
    const book = new Grants({ grants: [first] })
    book.remember([second, { under: '/w', decision: 'allow', tool: 'fs_write' }, second])
    expect(book.grants).toEqual([first, second])
  })

  it('tells of what is new', () => {
    const book = new Grants()
    const heard: Rule[][] = []
    const stop = book.subscribe((grants) => heard.push(grants))
    book.remember([first])
    book.remember([first])
    stop()
    book.remember([second])
    expect(heard).toEqual([[first]])
  })

  it('shows copies', () => {
    const book = new Grants({ grants: [first] })
    Object.assign(book.grants[0] ?? {}, { under: '/' })
    expect(book.grants).toEqual([first])
  })

  it('takes all of what it is told or nothing', () => {
    const book = new Grants()
    expect(() => book.remember([first, { tool: 'x', decision: 'ask' }])).toThrow(ConfigError)
    expect(() => new Grants({ grants: [{ tool: 'x' } as Rule] })).toThrow('grants.0.decision: is missing')
    expect(book.grants).toEqual([])
  })

  it('is not made of what is no option of it', () => {
    expect(() => new Grants({ grant: [first] } as never)).toThrow('grant: is no option; did you mean grants?')
  })
})
