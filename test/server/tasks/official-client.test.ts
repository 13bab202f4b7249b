import { execa } from 'execa'
import { expect, it } from 'vitest'
import { pathOf } from '../../e2e/harness.ts'
import { serve } from '../http/harness.ts'
import { working } from './working.ts'

const text = (of: string) => ({ content: [{ type: 'text', text: of }] })

it('serves the official client and its package for tasks', async () => {
  const { url } = await serve(working({ tasks: { pollIntervalMs: 20 } }))
  const program = pathOf('../server/programs/official-tasks-client.mjs')
  const { stdout } = await execa(process.execPath, [program, url])
  const completed = (result: object) => ({
    kind: 'task',
    status: 'completed',
    outcome: { status: 'completed', result },
  })
  expect(Object.fromEntries(stdout.split('\n').map((line) => JSON.parse(line)))).toMatchObject({
    plain: { kind: 'immediate', outcome: { status: 'completed', result: text('at once') } },
    echo: completed(text('hi')),
    fails: completed({ ...text('The disk is full'), isError: true }),
    refuses: {
      kind: 'task',
      status: 'failed',
      outcome: { status: 'failed', error: { code: 4711, data: { until: 'tomorrow' } } },
    },
    ask: completed(text('Ada is 36')),
    'ask-first': completed(text('Ada is 36')),
    wait: { kind: 'task', outcome: { status: 'cancelled' } },
  })
})
