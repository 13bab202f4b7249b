import { fileURLToPath } from 'node:url'
import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../../src/index.ts'

const modern = fileURLToPath(new URL('../../fixtures/servers/modern.mjs', import.meta.url))

it('the visualizer of XState’s own vendor can be attached to a connection in a thread', async () => {
  const sent: StatelyInspectionEvent[] = []
  const visualizer = createInspector({ send: (event) => sent.push(event) })
  const client = McpClient.connectStdio({
    command: process.execPath,
    args: [modern],
    inspect: visualizer.inspect,
    inspectAs: 'files',
    onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
  })
  onTestFinished(() => client.close())
  await client.callTool('ask_name')
  await client.close()
  // It passes everything on a turn later.
  await expect
    .poll(() => sent.at(-1))
    .toMatchObject({ type: '@xstate.snapshot', snapshot: { value: 'closed' } })
  const [connection] = sent
  expect(connection).toMatchObject({ type: '@xstate.actor', name: 'connection', parentId: undefined })
  const rootId = connection?.sessionId
  const roundTrip = sent.find((event) => event.type === '@xstate.actor' && event.name === 'call-1')
  expect(roundTrip).toMatchObject({
    rootId,
    parentId: rootId,
    definition: expect.stringContaining('"id":"roundTrip"'),
  })
  const call = sent.find((event) => event.type === '@xstate.event' && event.event.type === 'tools/call')
  expect(call).toMatchObject({ rootId, sourceId: rootId, sessionId: `${rootId}/server` })
})
