import { expect, it } from 'vitest'
import { describeTarget } from '../../../src/transports/http/target.ts'

it.each([
  ['https://example.com/mcp', 'https://example.com/mcp'],
  ['http://127.0.0.1:8080/mcp', 'http://127.0.0.1:8080/mcp'],
  ['https://me:hush@example.com/mcp#part', 'https://example.com/mcp'],
  ['https://example.com/mcp?page=2', 'https://example.com/mcp'],
  ['https://example.com/s/0123456789abcdefABCDEF0123/mcp', 'https://example.com/s/***/mcp'],
  ['https://example.com/AKIAABCDEFGHIJKL/mcp', 'https://example.com/***/mcp'],
  ['unix:/run/a.sock:/mcp', 'unix:/run/a.sock:/mcp'],
  ['http://a\nb', 'http://ab/'],
  ['me:hush@example.com', 'no URL'],
  ['https://me:hu/sh@example.com', 'no URL'],
  ['no URL at all', 'no URL'],
])('%j is shown as %j', (url, shown) => {
  expect(describeTarget(url)).toBe(shown)
})
