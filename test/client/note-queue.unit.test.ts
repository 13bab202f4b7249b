import { describe, expect, it } from 'vitest'
import { NoteQueue, type NoteQueueLimits } from '../../src/client/note-queue.ts'

function queueOf(limits?: NoteQueueLimits) {
  let released = 0
  const queue = new NoteQueue<number>(() => {
    released += 1
  }, limits)
  return { queue, released: () => released }
}

describe('a queue of notes', () => {
  it('is read in the order it was filled, before and after', async () => {
    const { queue } = queueOf()
    queue.push(1)
    const [first, second, third] = [queue.next(), queue.next(), queue.next()]
    queue.push(2)
    queue.push(3)
    expect(await Promise.all([first, second, third])).toEqual(
      [1, 2, 3].map((value) => ({ done: false, value })),
    )
  })

  it('is read to its end, then ends every reader', async () => {
    const { queue, released } = queueOf()
    queue.push(1)
    queue.end()
    queue.push(2)
    const read: number[] = []
    for await (const note of queue) read.push(note)
    expect(read).toEqual([1])
    expect(await queue.next()).toEqual({ done: true, value: undefined })
    expect(released()).toBe(1)
  })

  it('throws its error once, after what was pushed', async () => {
    const { queue } = queueOf()
    queue.push(1)
    queue.end(new Error('broken'))
    expect(await queue.next()).toEqual({ done: false, value: 1 })
    await expect(queue.next()).rejects.toThrow('broken')
    expect(await queue.next()).toEqual({ done: true, value: undefined })
  })

  it('ends or fails whoever waits', async () => {
    const ended = queueOf()
    const reader = ended.queue.next()
    ended.queue.end()
    expect(await reader).toEqual({ done: true, value: undefined })
    const failed = queueOf()
    const unlucky = failed.queue.next()
    failed.queue.end(new Error('broken'))
    await expect(unlucky).rejects.toThrow('broken')
  })

  it('is released once when its reader leaves, and drops what was not read', async () => {
    const { queue, released } = queueOf()
    queue.push(1)
    queue.push(2)
    for await (const note of queue) {
      expect(note).toBe(1)
      break
    }
    await queue.return()
    queue.end()
    expect(released()).toBe(1)
    expect(await queue.next()).toEqual({ done: true, value: undefined })
  })

  it('drops the oldest past so many', async () => {
    const { queue } = queueOf({ maxNotes: 2 })
    for (const note of [1, 2, 3, 4]) queue.push(note)
    expect([(await queue.next()).value, (await queue.next()).value]).toEqual([3, 4])
  })

  it('drops the oldest past so much, counting what is nested, but not the newest', async () => {
    const queue = new NoteQueue<{ n: number; data: unknown }>(() => {}, { maxChars: 1_000 })
    const note = (n: number, chars: number) => ({ n, data: [{ text: 'x'.repeat(chars) }] })
    for (const chars of [300, 300, 300, 300]) queue.push(note(chars, chars))
    queue.push(note(5, 400))
    queue.push(note(6, 9_000))
    queue.push(note(7, 10))
    queue.push(note(8, 10))
    queue.end()
    const read: number[] = []
    for await (const { n } of queue) read.push(n)
    expect(read).toEqual([7, 8])
    const large = new NoteQueue<string>(() => {}, { maxChars: 1_000 })
    large.push('x'.repeat(5_000))
    large.end()
    expect((await large.next()).value).toHaveLength(5_000)
  })
})
