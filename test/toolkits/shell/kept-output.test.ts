import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeptOutput } from '../../../src/toolkits/shell/kept-output.ts'

it('keeps the beginning and the end of any output, in whatever pieces it comes', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 40 }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 60 }), (chunks, keepBytes) => {
      const kept = new KeptOutput(keepBytes)
      for (const chunk of chunks) kept.push(Buffer.from(chunk))
      const all = chunks.join('')
      const head = Math.ceil(keepBytes / 2)
      const missing = all.length - keepBytes
      expect(kept.text()).toBe(
        missing <= 0
          ? all
          : `${all.slice(0, head)}\n[… ${missing} bytes are not shown …]\n${all.slice(head + missing)}`,
      )
    }),
  )
})

it('shows what is no text, however much of it there is', () => {
  const kept = new KeptOutput(2 ** 20)
  const garbage = Buffer.alloc(2 ** 19 - 1, 0xff)
  for (const part of [garbage, Buffer.from('xyyyx'), garbage]) kept.push(part)
  const shown = '\ufffd'.repeat(2 ** 19 - 1)
  expect(kept.text() === `${shown}x\n[… 3 bytes are not shown …]\nx${shown}`).toBe(true)
})

it('holds no more than a little more than it keeps', () => {
  const kept = new KeptOutput(10)
  for (let index = 0; index < 10_000; index += 1) kept.push(Buffer.alloc(1_000, 'x'))
  expect(kept.length).toBe(10_000_000)
  expect(kept.text()).toBe('xxxxx\n[… 9999990 bytes are not shown …]\nxxxxx')
})
