import { describe, expect, it } from 'vitest'
import { connect, failureOf, fixture, hostings, textOf } from './harness.ts'
import { error, result, scripted } from './scripted.ts'

const megabyte = 1_000_000

describe.each(hostings)('a big result (%s)', (hosting) => {
  it.each([1, 10])('of %d MB of text arrives whole', async (megabytes) => {
    const { client } = connect({ ...fixture('echo'), hosting })
    const text = textOf(await client.callTool('big', { bytes: megabytes * megabyte }))
    expect(text).toHaveLength(megabytes * megabyte)
    expect(text.startsWith('The quick brown fox jumps. The')).toBe(true)
  })

  it('of 1 MB of records arrives whole, and is what it seems', async () => {
    const { client } = connect({ ...fixture('echo'), hosting })
    const answer = await client.callTool('records', { bytes: megabyte })
    const { rows } = Object(answer.structuredContent)
    expect(textOf(answer)).toBe(`${rows.length} rows`)
    expect(rows.at(-1)).toMatchObject({ id: rows.length - 1, tags: ['alpha', 'beta'] })
    expect(JSON.parse(JSON.stringify(answer)).structuredContent.rows).toHaveLength(rows.length)
    expect(structuredClone(answer)).toEqual(answer)
  })

  it('lets small ones pass in order around it', async () => {
    const { client } = connect({ ...fixture('echo'), hosting })
    const sizes = [10, 3 * megabyte, 20, 5_000, megabyte, 30]
    const order: number[] = []
    const calls = sizes.map(async (bytes) => {
      order.push(textOf(await client.callTool('big', { bytes })).length)
    })
    await Promise.all(calls)
    expect(order).toEqual(sizes)
  })

  it('is what it is when it is small, around every limit', async () => {
    const { client } = connect({ ...fixture('echo'), hosting })
    const sizes = [0, 1, 2_047, 2_048, 4_095, 4_096, 8_191, 8_192, 10_239, 10_240, 10_241, 65_536]
    const texts = await Promise.all(sizes.map((bytes) => client.callTool('big', { bytes })))
    expect(texts.map((answer) => textOf(answer).length)).toEqual(sizes)
  })
})

describe.each(hostings)('what a big result may hold (%s)', (hosting) => {
  const long = 'ä🎭'.repeat(3_000)
  const base64 = 'AAH+/w=='.repeat(1_500)

  it('comes through unchanged', async () => {
    const body = {
      content: [
        { type: 'text', text: long, annotations: { audience: ['user'], priority: 1 } },
        { type: 'image', data: base64, mimeType: 'image/png' },
        { type: 'text', text: 'short' },
        { type: 'resource', resource: { uri: 'x:///y', text: long, _meta: { kept: true } } },
        { type: 'resource_link', uri: 'x:///z', name: 'z' },
      ],
      structuredContent: { long, nested: [null, { '': 1 }], quotes: '"\\\u2028' },
      _meta: { 'example.com/kept': [1] },
    }
    const { client } = connect({ ...scripted({ 'tools/call': [[result(body)]] }), hosting })
    expect(await client.callTool('any')).toEqual(body)
  })

  it('comes through unchanged from resources, prompts, completions and lists', async () => {
    const contents = [
      { uri: 'x:///y', text: long },
      { uri: 'x:///z', blob: base64, mimeType: 'application/octet-stream' },
    ]
    const messages = [{ role: 'user', content: { type: 'text', text: long } }]
    const completion = { values: Array.from({ length: 100 }, (_, index) => `${index}`.repeat(60)) }
    const resources = Array.from({ length: 400 }, (_, index) => ({
      uri: `x:///${index}`,
      name: long.slice(0, 15),
    }))
    const server = scripted({
      'resources/read': [[result({ contents })]],
      'prompts/get': [[result({ messages })]],
      'completion/complete': [[result({ completion })]],
      'resources/list': [[result({ resources })]],
    })
    const { client } = connect({ ...server, hosting })
    expect(await client.readResource('x:///y')).toEqual({ contents })
    expect(await client.getPrompt('p')).toEqual({ messages })
    const ref = { type: 'ref/prompt', name: 'p' } as const
    expect(await client.complete(ref, { name: 'a', value: '' })).toEqual(completion)
    expect(await client.listResources()).toEqual(resources)
  })

  it('may be an error, with all of its data', async () => {
    const data = { why: long, list: [1, 2, { deep: null }] }
    const { client } = connect({ ...scripted({ 'tools/call': [[error(-31_000, long, data)]] }), hosting })
    expect(await failureOf(client.callTool('any'))).toMatchObject({ code: -31_000, message: long, data })
  })

  it('may be what we send', async () => {
    const { client } = connect({ ...fixture('echo'), hosting })
    expect(textOf(await client.callTool('echo', { text: long }))).toBe(long)
  })
})

describe.each(hostings)('a line above maxMessageBytes (%s)', (hosting) => {
  it.each(['huge', 'huge_id_last'])('fails the call it answers (%s), and no other', async (tool) => {
    const { client } = connect({ ...fixture('huge-line'), hosting, maxMessageBytes: megabyte })
    const [failure, echo] = await Promise.all([
      failureOf(client.callTool(tool, { bytes: 70 * megabyte })),
      client.callTool('echo', { text: 'beside it' }),
    ])
    expect(failure).toMatchObject({
      name: 'MessageTooLargeError',
      code: 'MESSAGE_TOO_LARGE',
      maxMessageBytes: megabyte,
      message: expect.stringContaining('maxMessageBytes'),
    })
    expect(textOf(echo)).toBe('beside it')
    expect(textOf(await client.callTool('echo', { text: 'after it' }))).toBe('after it')
  })
})
