import { describe, expect, it } from 'vitest'
import { FakeTransport } from '../../../src/testing/index.ts'
import { asking, Host } from '../harness.ts'

const content = [
  { type: 'text', text: 'a picture' },
  { type: 'image', mimeType: 'image/png', data: 'AAAA'.repeat(10_000) },
]
const asText = { as: 'text' } as const
const modern = (answers: object, options = {}) =>
  Host.ready(FakeTransport.modern({ answers: { ...answers } }), options)

describe('a call of a model', () => {
  it('is answered with text, and what is structured beside it; no binary crosses', async () => {
    const answer = { content, structuredContent: { a: 1 }, _meta: { 'x.y/z': 1 } }
    const host = await modern({ 'tools/call': answer })
    const call = host.call('tools/call', { name: 'draw', arguments: {} }, asText)
    expect(await call.answer).toEqual({
      content: 'a picture\n[image: image/png, 30000 bytes]',
      is_error: false,
      structured_content: { a: 1 },
      meta: { 'x.y/z': 1 },
    })
    expect(await host.call('tools/call', { name: 'draw', arguments: {} }).answer).toEqual(answer)
  })

  it('crosses with the batch of its turn when its text is short, whatever was left out', async () => {
    const host = await modern({ 'tools/call': { content } })
    await host.call('tools/call', { name: 'draw', arguments: {} }, asText).answer
    expect(host.of('result')).toMatchObject([{ size: 'a picture\n[image: image/png, 30000 bytes]'.length }])
  })

  it('is held to the tool’s outputSchema, and its text is cut', async () => {
    const tools = [{ name: 'typed', inputSchema: {}, outputSchema: { type: 'number' } }]
    const answers = [{ structuredContent: 'text' }, { structuredContent: 123_456 }]
    const host = await modern({ 'tools/list': { tools }, 'tools/call': answers }, { maxResultChars: 3 })
    await host.list('tools/list').answer
    const call = () => host.call('tools/call', { name: 'typed', arguments: {} }, asText).answer
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_RESULT' })
    expect(await call()).toEqual({
      content: '123\n[cut: 3 of 6 characters are not shown]',
      is_error: false,
      structured_content: 123_456,
    })
  })

  it('comes back with the server’s questions, and so does its claim', async () => {
    const asks = {
      resultType: 'input_required',
      inputRequests: {
        who: { method: 'elicitation/create', params: { message: 'Who?' } },
        where: { method: 'roots/list' },
      },
    }
    const host = await modern({ 'tools/call': [asks, { content: [] }, asks] }, asking)
    const params = { name: 'ask', arguments: { deep: [1] } }
    const call = host.call('tools/call', params, { ...asText, toolCallId: 'call_1', claim: 'mine' })
    await host.clock.settle()
    const toolCall = { id: 'call_1', function: params }
    expect(host.desk.asked.map(({ hook, claim, toolCall: made }) => [hook, claim, made])).toEqual([
      ['elicit', 'mine', toolCall],
      ['listRoots', 'mine', toolCall],
    ])
    for (const { resolve } of host.desk.asked) resolve({})
    await call.answer
    host.call('tools/call', params)
    await host.clock.settle()
    expect(host.desk.asked.slice(2)).toHaveLength(2)
    for (const question of host.desk.asked.slice(2)) {
      expect(question).not.toHaveProperty('claim')
      expect(question).not.toHaveProperty('toolCall')
    }
  })
})

describe('a catalogue of tools that may be out of date', () => {
  it('is told when the server says so, and when its session was lost', async () => {
    const host = await Host.ready(FakeTransport.legacy())
    for (const method of ['notifications/prompts/list_changed', 'notifications/tools/list_changed'])
      host.transport.push({ method })
    expect(host.of('toolsChanged')).toHaveLength(1)
    host.transport.wire.sessionLost?.()
    expect(host.of('toolsChanged')).toHaveLength(2)
  })
})
