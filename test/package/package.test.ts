import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Installed, install, root } from './installed.ts'

const server = (name: string) => join(root, 'test/fixtures/servers', `${name}.mjs`)
/** What a user of the package writes in TypeScript. */
const typedProgram = `
import { type CallToolResult, type Era, McpClient, ServerGoneError } from 'mcp-troupe'
import { connectionMachine } from 'mcp-troupe/machines'
import { StdioTransport } from 'mcp-troupe/transports'

const client = McpClient.connectStdio({
  command: 'node',
  onElicit: ({ params }) => ({ action: 'accept', content: { message: String(params.message) } }),
})
const era: Era = await client.era()
const answer: CallToolResult = await client.callTool('echo', { text: era }, { timeoutMs: 1_000 })
export const isGone = (error: unknown): boolean => error instanceof ServerGoneError && error.exitCode === 0
export const all = [answer.content, connectionMachine.id, StdioTransport.name]
// @ts-expect-error An option that does not exist.
McpClient.connectStdio({ comand: 'node' })
`

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('the package, installed from its tarball', () => {
  let installed: Installed
  beforeAll(async () => {
    installed = await install()
  }, 300_000)
  afterAll(() => installed?.remove())

  it('holds what is run, typed, drawn or read, and nothing else', () => {
    const isMeant =
      /^(dist\/.+\.(js|js\.map|d\.ts)|dist\/visualizations\/[^/]+\.(html|css|svg|json)|visualizations\/[^/]+\.(svg|mmd|json)|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/
    expect(installed.files.filter((file) => !isMeant.test(file))).toEqual([])
    expect(installed.files.filter((file) => /(^|\/)test\/|\.test\./.test(file))).toEqual([])
  })

  it('holds everything its manifest names', () => {
    const targets = Object.values<string | Record<string, string>>(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    const named = [...targets, ...Object.values<string>(manifest.bin)].map((path) =>
      path.replace(/^\.\//, ''),
    )
    expect(installed.files).toEqual(expect.arrayContaining(named))
    expect(installed.files).toContain('dist/workers/connection-worker.js')
  })

  it.each(Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith('.json')))(
    'can be imported as %s',
    async (subpath) => {
      const specifier = JSON.stringify(subpath.replace('.', manifest.name))
      const program = `import(${specifier}).then((it) => console.log(Object.keys(it).length))`
      expect(Number(await installed.run(process.execPath, '-e', program))).toBeGreaterThan(0)
    },
  )

  it.each(['bare-modern', 'bare-legacy'])('runs a connection in a thread, to %s', async (name) => {
    const said = await installed.run(process.execPath, '--throw-deprecation', 'call.js', server(name))
    expect(JSON.parse(said)).toEqual({
      content: [{ type: 'text', text: 'from an installed package' }],
      era: name.slice('bare-'.length),
      last: 'closed',
    })
  })

  it('runs the handler of a tool in a thread', async () => {
    const said = await installed.run(process.execPath, '--throw-deprecation', 'crunch.js')
    expect(JSON.parse(said)).toEqual(['in a thread: hello', expect.stringContaining('refused')])
  })

  it('serves the page of the inspector, for a connection in a thread', async () => {
    const said = await installed.run(
      process.execPath,
      '--throw-deprecation',
      'inspect.js',
      server('bare-modern'),
    )
    expect(JSON.parse(said)).toEqual({
      found: {
        'page.css': 200,
        'page.js': 200,
        'machines/supervisedChild.svg': 200,
        'machines/connection.json': 200,
      },
      actors: [['files/connection', 'connection.modern.ready']],
    })
  })

  it('is understood by TypeScript, its own declarations checked too', async () => {
    writeFileSync(join(installed.folder, 'use.ts'), typedProgram)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable',
    ]
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    expect(await installed.run(process.execPath, tsc, '--noEmit', ...options, ...types, 'use.ts')).toBe('')
  })

  it('runs nothing where it is installed, and makes no package manager ask about that', () => {
    const { scripts } = JSON.parse(
      readFileSync(join(installed.folder, 'node_modules/mcp-troupe/package.json'), 'utf8'),
    )
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(scripts).not.toHaveProperty(script)
  })

  it('brings its command', async () => {
    expect((await installed.run('npx', '--no-install', 'troupe', '--version')).trim()).toBe(manifest.version)
    const probed = await installed.run(
      'npx',
      '--no-install',
      'troupe',
      'probe',
      '--json',
      '--',
      process.execPath,
      server('bare-modern'),
    )
    expect(JSON.parse(probed)).toMatchObject({ verdict: 'modern', protocolVersion: '2026-07-28' })
  })

  it('serves a toolkit of the project it is installed in, and its own', async () => {
    const troupe = ['--no-install', 'troupe']
    const serving = ['--', 'npx', ...troupe, 'serve', '--tool', './toolkit.js']
    const call = (tool: string) => installed.run('npx', ...troupe, 'call', tool, ...serving)
    expect(await call('era')).toBe('modern\n')
    const files = ['npx', ...troupe, 'serve', '--tool', 'FileSystem={"root": "."}']
    expect(
      await installed.run('npx', ...troupe, 'call', 'fs_grep', 'pattern=Curi', 'glob=*.js', '--', ...files),
    ).toContain('toolkit.js:5: export default class Curious')
    await expect(call('refuse')).rejects.toThrow('the server answered with error 4711: Not today')
  })
})
