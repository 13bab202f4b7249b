import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readUriTemplate } from '../../../src/server/schema/uri-template.ts'

function match(template: string, uri: string) {
  const reading = readUriTemplate(template)
  return 'match' in reading ? reading.match(uri) : expect.fail(reading.complaint)
}

it.each([
  ['a://{id}', 'a://7', { id: '7' }],
  ['a://{id}/data', 'a://7/data', { id: '7' }],
  ['a://{id}', 'a://7/8', undefined],
  ['a://{id}', 'a://', undefined],
  ['a://{x},{y}', 'a://1,2', { x: '1', y: '2' }],
  ['a://{x,y}', 'a://1,2', { x: '1', y: '2' }],
  ['a://{+path}', 'a://b/c?d', { path: 'b/c?d' }],
  ['a://b{/c,d}', 'a://b/1/2', { c: '1', d: '2' }],
  ['a://b{.ext}', 'a://b.json', { ext: 'json' }],
  ['a://b{#part}', 'a://b#c/d', { part: 'c/d' }],
  ['a://b{?q,page}', 'a://b?q=x&page=2', { q: 'x', page: '2' }],
  ['a://b{?q,page}', 'a://b?page=2', { page: '2' }],
  ['a://b{?q,page}', 'a://b', {}],
  ['a://b{;q}', 'a://b;q=1', { q: '1' }],
  ['a://b?fix=1{&q}', 'a://b?fix=1&q=2', { q: '2' }],
  ['a://b.c/{id}', 'a://bXc/7', undefined],
  ['a://{id}', 'a://%C3%A4%2F', { id: 'ä/' }],
  ['a://{id}', 'a://%zz', undefined],
])('%s of %s', (template, uri, variables) => {
  expect(match(template, uri)).toEqual(variables)
})

it('gives back any value that was written into a URI', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (value) => {
      expect(match('a://{id}/end', `a://${encodeURIComponent(value)}/end`)).toEqual({ id: value })
    }),
  )
})

it.each(['a://{', 'a://}', 'a://{}', 'a://{a b}', 'a://{a:3}', 'a://{a*}'])('complains of %s', (template) => {
  expect(readUriTemplate(template)).toHaveProperty('complaint')
})
