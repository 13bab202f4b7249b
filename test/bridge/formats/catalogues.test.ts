import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { GoogleGenAI, type ToolListUnion } from '@google/genai'
import { asSchema } from 'ai'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { declarationsFrom, McpClient, type ToolDeclaration, toolsFor } from '../../../src/index.ts'
import { formatNames } from './harness.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const packages = 'node_modules/@modelcontextprotocol'
const servers: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: 'the server that has everything', args: [`${packages}/server-everything/dist/index.js`, 'stdio'] },
  { name: 'the filesystem server', args: [`${packages}/server-filesystem/dist/index.js`, '.'] },
  ...['modern', 'bare-modern', 'bare-legacy', 'sdk-legacy', 'echo'].map((name) => ({
    name: `the fixture ${name}`,
    args: [`test/fixtures/servers/${name}.mjs`],
  })),
]

describe.each(servers)('the tools of $name', ({ args }) => {
  let declarations: readonly ToolDeclaration[]

  beforeAll(async () => {
    await using mcp = McpClient.connectStdio({
      command: process.execPath,
      args,
      cwd: root,
      hosting: 'inline',
    })
    declarations = (await mcp.listTools()).map(({ name, description = '', inputSchema: parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }))
    expect(declarations.length).toBeGreaterThan(0)
  })

  it.each(formatNames)(
    'all go to %s and come back under their names, with no repair left to do',
    (format) => {
      const { tools, names } = toolsFor(format, declarations)
      const back = declarationsFrom(format, tools, names)
      expect(back.map(({ function: { name, description } }) => [name, description])).toEqual(
        declarations.map(({ function: { name, description } }) => [name, description]),
      )
      const warnings: string[] = []
      const again = toolsFor(format, back, { onWarn: (text) => warnings.push(text) })
      expect(warnings).toEqual([])
      expect(declarationsFrom(format, again.tools, again.names)).toEqual(back)
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      for (const {
        function: { parameters },
      } of back)
        expect(ajv.validateSchema(parameters)).toBe(true)
    },
  )

  it('are what the AI SDK sends to a model, unchanged', async () => {
    const { tools } = toolsFor('ai-sdk', declarations)
    const sent = await Promise.all(
      Object.values(tools).map(({ inputSchema }) => asSchema(inputSchema).jsonSchema),
    )
    const shown = declarationsFrom('ai-sdk', tools).map(({ function: { parameters } }) => parameters)
    expect(sent).toEqual(shown)
  })

  it("are what Google's client sends, unchanged", async () => {
    const { tools } = toolsFor('gemini', declarations)
    expect(await sentByGoogle(tools)).toEqual(JSON.parse(JSON.stringify(tools)))
  })
})

/** What Google's client writes on the wire as a request's tools. */
async function sentByGoogle(tools: ToolListUnion): Promise<unknown> {
  const requests: unknown[] = []
  const server = createServer(async (request, response) => {
    requests.push(await json(request))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: `http://127.0.0.1:${port}` } })
  await client.models.generateContent({ model: 'any', contents: 'hi', config: { tools } })
  return requests.map((request) => Object(request).tools)[0]
}
