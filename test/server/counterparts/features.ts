import { expect } from 'vitest'
import type { CallToolResult, Progress } from '../../../src/index.ts'
import { failureOf, textOf } from '../../e2e/harness.ts'
import { Heard } from '../../e2e/heard.ts'
import { kit } from '../kit.ts'
import type { Counterpart } from './counterpart.ts'

/** Everything the kit has, as any client should find it: what differs by era differs here. */
export const features: readonly (readonly [string, (client: Counterpart) => Promise<void>])[] = [
  [
    'knows whom it talks to',
    async ({ server }) => {
      expect(server).toEqual({ name: 'kit', instructions: 'A server to test with.' })
    },
  ],
  [
    'lists everything, over all pages',
    async (client) => {
      const tools = (await kit().toolsForLlm()).map((tool) => tool.function.name)
      expect(await client.list('tools')).toEqual(tools)
      expect(await client.list('resources')).toEqual(['kit://bytes', 'kit://text'])
      expect(await client.list('resourceTemplates')).toEqual(['kit://items/{id}{?verbose}'])
      expect(await client.list('prompts')).toEqual(['review'])
    },
  ],
  [
    'gets answers of every shape',
    async (client) => {
      expect(await text(client, 'greet', { name: 'Ada', times: 2 })).toBe('Hello, Ada! Hello, Ada!')
      expect(await client.call('quiet')).toMatchObject({ content: [] })
      const kinds = ['text', 'image', 'audio', 'resource_link', 'resource'].map((type) => ({ type }))
      expect(await client.call('blocks')).toMatchObject({ content: kinds })
      const full = { structuredContent: { all: true }, isError: false, _meta: { 'kit/revision': 7 } }
      expect(await client.call('full')).toMatchObject({ content: [{ text: 'all of it' }], ...full })
      expect(await client.call('sum', { a: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
      const bare = client.era === 'modern' ? { structuredContent: [1, null] } : {}
      expect(await client.call('bare')).toMatchObject({ content: [{ text: '[1,null]' }], ...bare })
    },
  ],
  [
    'reads what went wrong',
    async (client) => {
      const failed = (content: unknown) => ({ isError: true, content: [{ text: content }] })
      expect(await client.call('fails')).toMatchObject(failed('It went wrong'))
      expect(await client.call('throws')).toMatchObject(failed('The disk is full'))
      expect(await client.call('greet', { name: 7 })).toMatchObject(
        failed(expect.stringContaining('name must be a string')),
      )
      const refusal = { code: 4711, data: { until: 'tomorrow' } }
      expect(await failureOf(client.call('refuses'))).toMatchObject(refusal)
      expect(await failureOf(client.call('nothing'))).toMatchObject({ code: -32602 })
    },
  ],
  [
    'reads resources and templates',
    async (client) => {
      expect(await client.read('kit://text')).toMatchObject({
        contents: [{ uri: 'kit://text', mimeType: 'text/plain', text: 'some text' }],
      })
      expect(await client.read('kit://bytes')).toMatchObject({ contents: [{ blob: 'aGk=' }] })
      const item = { text: '{"id":"7","verbose":"yes"}' }
      expect(await client.read('kit://items/7?verbose=yes')).toMatchObject({ contents: [item] })
      const missing = { message: expect.stringContaining('There is no resource kit://none') }
      expect(await failureOf(client.read('kit://none'))).toMatchObject(missing)
    },
  ],
  [
    'gets prompts, and completes what goes into them',
    async (client) => {
      const review = { role: 'user', content: { type: 'text', text: 'Review in plain: x' } }
      expect(await client.prompt('review', { code: 'x' })).toMatchObject({ messages: [review] })
      expect(await failureOf(client.prompt('review', {}))).toMatchObject({ code: -32602 })
      const prompt = { type: 'ref/prompt', name: 'review' } as const
      expect(await client.complete(prompt, { name: 'style', value: 's' }, { code: 'c' })).toMatchObject({
        completion: { values: ['s-c'] },
      })
      const template = { type: 'ref/resource', uri: 'kit://items/{id}{?verbose}' } as const
      expect(await client.complete(template, { name: 'id', value: 'o' })).toMatchObject({
        completion: { values: ['one', 'other'], total: 2, hasMore: false },
      })
    },
  ],
  [
    'hears log messages of its level, and progress in order',
    async (client) => {
      const reports: unknown[] = []
      const onProgress = (report: unknown) => reports.push(report)
      expect(await text(client, 'count', { to: 3 }, { onProgress })).toBe('counted to 3')
      const steps = [1, 2, 3]
      const logged = client.notes.all.filter(({ method }) => method === 'notifications/message')
      expect(logged.map(({ params }) => params)).toMatchObject(
        steps.map((step) => ({ level: 'info', logger: 'kit', data: { step } })),
      )
      // The official clients lose reports that come in one chunk with the answer.
      const told = steps.map((progress) => ({ progress, total: 3, message: `step ${progress}` }))
      expect(reports).toEqual(told.slice(0, reports.length))
    },
  ],
  [
    'hears that a call has begun, and takes it back',
    async (client) => {
      const abort = new AbortController()
      const reports = new Heard<Progress>()
      const options = { signal: abort.signal, onProgress: reports.hear }
      const failure = failureOf(client.call('wait', {}, options))
      await reports.first(({ message }) => message === 'waiting')
      expect(await text(client, 'waiting')).toBe('1')
      abort.abort()
      expect(await failure).toBeInstanceOf(Error)
      // Over HTTP the server sees that a client left when it does, and another request may come before.
      while ((await text(client, 'waiting')) !== '0');
    },
  ],
  [
    'is told what changes',
    async (client) => {
      await client.follow('kit://text')
      const isHeard = (method: string, uri?: string) =>
        client.notes.first((note) => note.method === method && note.params?.uri === uri)
      const heard = Promise.all([
        isHeard('notifications/tools/list_changed'),
        isHeard('notifications/resources/updated', 'kit://text'),
      ]).then(() => 'heard')
      // A legacy client over HTTP opens the stream it is told on when it gets to it.
      const touched = () => client.call('touch').then(() => 'touched')
      while ((await Promise.race([heard, touched()])) === 'touched');
    },
  ],
  [
    'answers what it is asked',
    async (client) => {
      expect(await text(client, 'elicit')).toBe('Hello, Ada!')
      const sampled = { model: 'parrot', content: { type: 'text', text: 'word' } }
      expect(JSON.parse(await text(client, 'sample'))).toEqual(sampled)
      expect(await text(client, 'roots')).toBe('["file:///home/ada"]')
      expect(await text(client, 'interview')).toBe('Ada is 36')
    },
  ],
]

async function text(client: Counterpart, ...call: Parameters<Counterpart['call']>): Promise<string> {
  return textOf((await client.call(...call)) as CallToolResult)
}
