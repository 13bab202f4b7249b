import { McpServer, type McpServerOptions } from '../../../src/server/index.ts'

export const handlers = (name: string, file = 'heavy') =>
  new URL(`./handlers/${file}.ts#${name}`, import.meta.url)

const names = [
  'spin',
  'talk',
  'tellsWithoutEnd',
  'tellsAfterItsEnd',
  'fails',
  'refuses',
  'exits',
  'throwsLater',
  'rejectsLater',
  'eats',
  'answersNoJson',
  'answersNothing',
  'logsNoJson',
  'prints',
  'noFunction',
  'toString',
]

/** A server whose tools have their handlers in modules. */
export function heavy(options: Partial<McpServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: 'heavy',
    onLog: () => {},
    threads: { maxThreads: 1, memoryMb: 32 },
    ...options,
  })
  const params = { n: { type: 'integer', required: true } } as const
  server.tool(
    'fibonacci',
    { params, taskSupport: 'optional' },
    new URL('./handlers/heavy.ts', import.meta.url),
  )
  for (const name of names) server.tool(name, { taskSupport: 'optional' }, handlers(name))
  server.tool('hurried', { timeoutMs: 500 }, handlers('spin'))
  server.tool('broken', {}, handlers('', 'broken'))
  server.tool('here', {}, () => 'alive')
  return server
}
