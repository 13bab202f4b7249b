import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { MessageOutput } from '../../../src/server/stdio/message-output.ts'

function recorded() {
  const texts: string[] = []
  const write = (text: string) => texts.push(text) > 0
  return { texts, output: new MessageOutput(new PassThrough(), new PassThrough(), write) }
}

it('resumes what it paused itself, and nothing else', async () => {
  const [pipe, input] = [new PassThrough({ highWaterMark: 10 }), new PassThrough()]
  const output = new MessageOutput(pipe, input)
  const drain = async () => {
    const drained = once(pipe, 'drain')
    pipe.resume()
    await drained
    pipe.pause()
  }
  const fill = () => {
    output.send('x'.repeat(100))
    output.flush()
  }
  fill()
  expect(input.isPaused()).toBe(true)
  await drain()
  expect(input.isPaused()).toBe(false)
  input.pause()
  fill()
  await drain()
  expect(input.isPaused()).toBe(true)
})

describe('the messages of one turn', () => {
  it('go out in one write', () => {
    const { texts, output } = recorded()
    for (const text of ['1', '2', '3']) output.send(text)
    output.flush()
    expect(texts).toEqual(['1\n2\n3\n'])
  })

  it('go out in several when they are more than one string can hold', () => {
    const { texts, output } = recorded()
    const large = 'x'.repeat(20_000_000)
    for (let count = 0; count < 30; count++) output.send(large)
    output.flush()
    expect(texts.reduce((sum, { length }) => sum + length, 0)).toBe(30 * 20_000_001)
  })
})
