import process from 'node:process'
import { threadId } from 'node:worker_threads'
import { ProtocolError } from '../../../../src/errors.ts'
import type { ThreadHandler } from '../../../../src/server/index.ts'

/** Work that holds its thread up, and all the ways it can go wrong. */
const heavy: ThreadHandler = ({ n }) => ({ structuredContent: { fibonacci: fibonacci(Number(n)), threadId } })
export default heavy

export const spin: ThreadHandler = (_, context) => {
  context.progress({ progress: 1, message: 'spinning' })
  for (;;);
}

export const talk: ThreadHandler = async (_, context) => {
  for (let step = 1; step <= 3; step++) {
    context.progress({ progress: step, total: 3 })
    context.log('info', { step, isWanted: context.wantsLog('debug') })
  }
  return `${context.era} ${context.clientInfo?.name}`
}

/** As a loop that reports each of its steps. */
export const tellsWithoutEnd: ThreadHandler = (_, context) => {
  for (let step = 1; ; step++) context.progress({ progress: step, message: 'x'.repeat(1_000) })
}

export const tellsAfterItsEnd: ThreadHandler = (_, context) => {
  setImmediate(() => {
    for (let step = 1; step < 2_000; step++) context.log('info', 'x'.repeat(1_000))
  })
  return 'said'
}

export const fails: ThreadHandler = () => {
  throw new Error('The disk is full')
}

export const refuses: ThreadHandler = () => {
  throw new ProtocolError({ code: 4711, message: 'Not today', data: { until: 'tomorrow' } })
}

export const exits: ThreadHandler = () => process.exit(3)

export const throwsLater: ThreadHandler = () =>
  new Promise(() => {
    setImmediate(() => {
      throw new Error('Nobody caught this')
    })
  })

export const rejectsLater: ThreadHandler = () => {
  void Promise.reject(new Error('Nobody awaited this'))
  return new Promise(() => {})
}

export const eats: ThreadHandler = () => {
  const all: number[][] = []
  for (;;) all.push(new Array(100_000).fill(1.5))
}

export const answersNoJson: ThreadHandler = () => ({ content: [], structuredContent: 1n })
export const answersNothing: ThreadHandler = () => undefined as never
export const logsNoJson: ThreadHandler = (_, context) => {
  context.log('info', 1n)
  return 'unreachable'
}

export const prints: ThreadHandler = () => {
  console.log('this belongs on stderr')
  return 'printed'
}

export const noFunction = 'text'

function fibonacci(n: number): number {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
}
