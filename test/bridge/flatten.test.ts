import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatten } from '../../src/bridge/flatten.ts'
import { json, jsonObject, text } from '../protocol/arbitraries.ts'

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')
const textOf = (...content: readonly unknown[]) => flatten({ content }, undefined).content

describe('a tool’s answer, as a model reads it', () => {
  it.each([
    ['text', { type: 'text', text: 'hé 🎭' }, 'hé 🎭'],
    ['text that is none', { type: 'text', text: 5 }, '[unreadable text]'],
    ['an image', { type: 'image', mimeType: 'image/png', data: base64(10) }, '[image: image/png, 10 bytes]'],
    ['a sound', { type: 'audio', mimeType: 'audio/wav', data: base64(12) }, '[audio: audio/wav, 12 bytes]'],
    ['a bare image', { type: 'image' }, '[image: ]'],
    [
      'a link',
      { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain', size: 3 },
      '[resource link: file:///a (a, text/plain, 3 bytes)]',
    ],
    [
      'a link with a title and a description',
      { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A file', description: 'Read it.' },
      '[resource link: file:///a (A file)] Read it.',
    ],
    [
      'an embedded text',
      { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'it says' } },
      '[resource: file:///a, text/plain]\nit says',
    ],
    [
      'an embedded binary',
      { type: 'resource', resource: { uri: 'file:///b', blob: base64(5) } },
      '[resource: file:///b, 5 bytes]',
    ],
    ['a resource that is none', { type: 'resource' }, '[unreadable resource]'],
    ['something new', { type: 'hologram' }, '[content of a kind unknown here: "hologram"]'],
    ['something without a type', {}, '[content of a kind unknown here: undefined]'],
    ['no block at all', null, '[unreadable content]'],
  ])('shows %s', (_, block, shown) => {
    expect(textOf(block)).toBe(shown)
  })

  it('is its blocks, one below the other', () => {
    expect(textOf({ type: 'text', text: 'one' }, { type: 'text', text: 'two' })).toBe('one\ntwo')
  })

  it('says whether the tool failed, and keeps what is structured and the meta beside the text', () => {
    const content = [{ type: 'text', text: 'no' }]
    const answer = { content, structuredContent: { a: 1 }, isError: true, _meta: { 'x/y': 1 } }
    expect(flatten(answer, undefined)).toEqual({
      content: 'no',
      is_error: true,
      structured_content: { a: 1 },
      meta: { 'x/y': 1 },
    })
    expect(flatten({ content }, undefined)).toEqual({ content: 'no', is_error: false })
  })

  it.each([{ a: [1] }, [1, 2], 'text', 0, false, null])(
    'that is structured alone is shown as its JSON text (%j)',
    (structuredContent) => {
      expect(flatten({ content: [], structuredContent }, undefined)).toEqual({
        content: JSON.stringify(structuredContent),
        is_error: false,
        structured_content: structuredContent,
      })
    },
  )

  it('that is structured too deeply to be written is still an answer', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(flatten({ content: [], structuredContent: deep }, undefined).content).toContain('too deeply')
  })

  it('is text, whatever a server sends', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          jsonObject,
          fc.record({ content: fc.array(fc.oneof(json, jsonObject)), structuredContent: json }),
        ),
        (result) => {
          const { content, is_error } = flatten(result, undefined)
          expect([typeof content, typeof is_error]).toEqual(['string', 'boolean'])
        },
      ),
    )
  })
})

describe('a result that is too long', () => {
  const cut = (text: string, maxChars: number) => flatten({ content: [{ type: 'text', text }] }, maxChars)

  it('is cut, and says by how much', () => {
    expect(cut('0123456789', 4).content).toBe('0123\n[cut: 6 of 10 characters are not shown]')
    expect(cut('0123456789', 10).content).toBe('0123456789')
  })

  it('is cut before a character of two halves, not in it', () => {
    expect(cut('a🎭b', 2).content).toBe('a\n[cut: 3 of 4 characters are not shown]')
    expect(cut('a🎭b', 3).content).toBe('a🎭\n[cut: 1 of 4 characters are not shown]')
  })

  it('keeps what is structured whole', () => {
    const { content, structured_content } = flatten({ content: [], structuredContent: [1, 2, 3] }, 3)
    expect([content, structured_content]).toEqual(['[1,\n[cut: 4 of 7 characters are not shown]', [1, 2, 3]])
  })

  it('tears no character, loses nothing before the cut, and counts right', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (whole, maxChars) => {
        const { content } = cut(whole, maxChars)
        fc.pre(whole.length > maxChars)
        const [, head = '', missing] =
          /^(.*)\n\[cut: (\d+) of \d+ characters are not shown\]$/s.exec(content) ?? []
        expect(whole.startsWith(head)).toBe(true)
        expect(head.length + Number(missing)).toBe(whole.length)
        expect(maxChars - head.length).toBeLessThanOrEqual(1)
        if (whole.isWellFormed()) expect(head.isWellFormed()).toBe(true)
      }),
    )
  })
})
