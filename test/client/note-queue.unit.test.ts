import { describe, expect, it } from 'vitest'
import { NoteQueue } from '../../src/client/note-queue.ts'

function queueOf(limit?: number) {
  let released = 0
  const queue = new NoteQueue<number>(() => {
    released += 1
  }, limit)
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

  it('drops the oldest past its limit, and counts them', async () => {
    const { queue } = queueOf(2)
    for (const note of [1, 2, 3, 4]) queue.push(note)
    expect(queue.dropped).toBe(2)
    expect([(await queue.next()).value, (await queue.next()).value]).toEqual([3, 4])
  })
})
