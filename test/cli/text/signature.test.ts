import { expect, it } from 'vitest'
import { promptSignature, toolSignature } from '../../../src/cli/text/signature.ts'
import { styleFor } from '../../../src/cli/text/style.ts'
import type { Prompt } from '../../../src/protocol/prompts.ts'
import type { Tool } from '../../../src/protocol/tools.ts'

const plain = styleFor({ isTerminal: false, columns: undefined, write: () => {} }, {})
const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, options: { properties: { depth: { type: 'integer' } } } },
  required: ['path'],
}

it('breaks between parameters first', () => {
  const tool = { name: 'search_files', inputSchema, outputSchema: { type: 'array' } }
  expect(toolSignature(tool, undefined, plain)).toBe(
    'search_files(path: string, options?: { depth?: integer }): unknown[]',
  )
  expect(toolSignature(tool, 50, plain)).toBe(
    'search_files(path: string,\n    options?: { depth?: integer }): unknown[]',
  )
})

it('survives what servers get wrong', () => {
  const broken = { name: 'a\nb', inputSchema: null, outputSchema: 5 } as unknown as Tool
  expect(toolSignature(broken, 80, plain)).toBe('a b()')
  const odd = { name: 'p', arguments: [null, { name: 'x', required: 'yes' }] } as unknown as Prompt
  expect(promptSignature(odd, 80, plain)).toBe('p(x?: string)')
})
