import { describe, expect, it } from 'vitest'
import { failureOf, textOf } from '../harness.ts'
import { connect } from './harness.ts'
import { official } from './official.ts'

const server = official('official-http-modern')
const colour = { role: 'assistant', content: { type: 'text', text: 'red' }, model: 'none' } as const
const roots = { roots: [{ uri: 'file:///home/me', name: 'home' }] } as const

describe.each(['modern', 'legacy'] as const)('the official server over HTTP, %s', (era) => {
  const open = (options = {}) => connect(server, { url: server.url('/whole'), era, ...options }).client

  it('gives resources, templates and prompts, and completes them', async () => {
    const client = open()
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([
      'fixture://readme',
      'fixture://pixel',
    ])
    expect(await client.readResource('fixture://pixel')).toMatchObject({ contents: [{ blob: 'AAH+/w==' }] })
    expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: 'note:///{id}' }])
    expect(await client.readResource('note:///2')).toMatchObject({ contents: [{ text: 'note 2' }] })
    expect(await failureOf(client.readResource('fixture://nothing'))).toMatchObject({ code: -32602 })
    expect(await client.listPrompts()).toMatchObject([{ name: 'review' }])
    expect(await client.getPrompt('review', { language: 'raku' })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Review this raku code.' } }],
    })
    const prompt = { type: 'ref/prompt', name: 'review' } as const
    expect(await client.complete(prompt, { name: 'language', value: 'r' })).toMatchObject({
      values: ['raku', 'rust'],
    })
    const template = { type: 'ref/resource', uri: 'note:///{id}' } as const
    expect(await client.complete(template, { name: 'id', value: '2' })).toMatchObject({ values: ['2'] })
  })

  it('answers with structured content, and with failures', async () => {
    const client = open()
    await client.listTools()
    expect(await client.callTool('typed')).toMatchObject({
      structuredContent: { celsius: 21.5, sky: 'clear' },
    })
    expect(await failureOf(client.callTool('typed_wrong'))).toMatchObject({ code: 'INVALID_RESULT' })
    expect(await client.callTool('fail')).toMatchObject({ isError: true })
    expect(await client.callTool('echo', { text: 7 })).toMatchObject({ isError: true })
    expect(await failureOf(client.callTool('nothing'))).toMatchObject({ code: -32602 })
  })
})

describe('the official server over HTTP, modern', () => {
  it('asks for forms, samples and roots at once', async () => {
    const { client } = connect(server, {
      url: server.url('/whole'),
      onElicit: () => ({ action: 'accept', content: { name: 'Ada', greeting: 'Hi' } }),
      onSample: () => colour,
      onListRoots: () => roots,
    })
    expect(textOf(await client.callTool('ask_name'))).toBe('Hi, Ada!')
    const form = { action: 'accept', content: { name: 'Ada', greeting: 'Hi' } }
    expect(await client.callTool('ask_all')).toMatchObject({
      structuredContent: { form, sample: colour, roots },
    })
  })
})
