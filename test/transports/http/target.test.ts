import { expect, it } from 'vitest'
import { describeTarget } from '../../../src/transports/http/target.ts'

it.each([
  ['https://example.com/mcp', 'https://example.com/mcp'],
  ['https://me:hush@example.com/mcp#part', 'https://example.com/mcp'],
  ['https://example.com/mcp?api_key=hush&page=2', 'https://example.com/mcp?api_key=***&page=2'],
  ['https://example.com/?x=1&Token=hush', 'https://example.com/?x=1&Token=***'],
  ['https://example.com/?x=sk-0123456789', 'https://example.com/?x=***'],
  ['https://example.com/s/0123456789abcdefABCDEF0123/mcp', 'https://example.com/s/***/mcp'],
  [
    'https://example.com/quite/long-but-plainly/readable-words-only',
    'https://example.com/quite/long-but-plainly/readable-words-only',
  ],
  ['unix:/run/a.sock:/mcp', 'unix:/run/a.sock:/mcp'],
  ['http://a\nb', 'http://a b'],
  ['no url at all', 'no url at all'],
])('%j is shown as %j', (url, shown) => {
  expect(describeTarget(url)).toBe(shown)
})

it('cuts what is too long', () => {
  const shown = describeTarget(`https://example.com/${'long/'.repeat(100)}`)
  expect(shown).toHaveLength(120)
  expect(shown.endsWith('…')).toBe(true)
})
