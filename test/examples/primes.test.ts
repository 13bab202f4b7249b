import { expect, it, onTestFinished } from 'vitest'
import { McpClient, type Task } from '../../src/index.ts'
import { failureOf, pathOf, textOf } from '../e2e/harness.ts'

function connect(tasks: boolean): McpClient {
  const args = ['--import', 'tsx', pathOf('../../examples/primes-server.ts')]
  // On a busy machine a program in TypeScript takes its time.
  const client = McpClient.connectStdio({ command: process.execPath, args, tasks, probeTimeoutMs: 60_000 })
  onTestFinished(() => client.close())
  return client
}

it.each([true, false])('counts primes for a client that takes tasks, or none: %s', async (tasks) => {
  const client = connect(tasks)
  const seen: Task[] = []
  const onTask = (task: Task) => seen.push(task)
  expect(textOf(await client.callTool('count_primes', { below: 1_000 }, { onTask }))).toBe(
    '168 primes below 1000',
  )
  expect(seen.at(-1)?.status).toBe(tasks ? 'completed' : undefined)
})

it('stops counting when nobody waits any more', async () => {
  const client = connect(true)
  const abort = new AbortController()
  const onProgress = ({ message }: { message?: string }) => {
    if (message?.endsWith('so far')) abort.abort()
  }
  const counting = client.callTool(
    'count_primes',
    { below: 100_000_000 },
    { signal: abort.signal, onProgress },
  )
  expect(await failureOf(counting)).toMatchObject({ code: 'CANCELLED' })
  // The thread is free again: there may be but one.
  expect(textOf(await client.callTool('count_primes', { below: 10 }))).toBe('4 primes below 10')
})
