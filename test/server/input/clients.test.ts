import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient, type StdioClientOptions } from '../../../src/index.ts'
import { InProcessTransport } from '../../../src/testing/index.ts'
import { textOf } from '../../e2e/harness.ts'
import { asking } from './asking.ts'

const answers: Partial<StdioClientOptions> = {
  clientCapabilities: { elicitation: { form: {}, url: {} } },
  onElicit: ({ params }) => {
    const { properties = {} } = ('requestedSchema' in params ? params.requestedSchema : {}) as {
      properties?: object
    }
    const [field] = Object.keys(properties)
    if (field === undefined) return { action: 'accept' as const }
    return { action: 'accept' as const, content: { [field]: field === 'age' ? 36 : 'Ada' } }
  },
  onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }),
  onListRoots: () => ({ roots: [{ uri: 'file:///a' }] }),
}

function connect(era: 'modern' | 'legacy', options: Partial<StdioClientOptions> = answers) {
  const { server, runs } = asking()
  const client = McpClient.connectStdio({ transport: new InProcessTransport(server), era, ...options })
  onTestFinished(() => client.close())
  return { client, runs }
}

describe.each(['modern', 'legacy'] as const)('a %s client', (era) => {
  it('answers what a handler asks', async () => {
    const { client, runs } = connect(era)
    expect(textOf(await client.callTool('steps'))).toBe('Ada is 36')
    expect(textOf(await client.callTool('all'))).toBe('["Ada","m",["file:///a"]]')
    expect(textOf(await client.callTool('page'))).toBe('accept')
    // Where a handler can wait for its answers it runs once.
    expect(runs.length).toBe(era === 'legacy' ? 2 : 5)
  })

  it('that answers no questions is not asked', async () => {
    const { client } = connect(era, {})
    const outcome = await client.callTool('name').catch((error: { code: number }) => error)
    expect(outcome).toMatchObject(era === 'legacy' ? { isError: true } : { code: -32021 })
  })

  it('takes its call back, and the question with it', async () => {
    const abort = new AbortController()
    const onElicit = () => {
      abort.abort()
      return new Promise<never>(() => {})
    }
    const { client } = connect(era, { ...answers, onElicit })
    await expect(client.callTool('name', {}, { signal: abort.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    })
  })
})
