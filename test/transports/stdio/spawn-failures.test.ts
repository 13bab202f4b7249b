import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SpawnFailedError } from '../../../src/errors.ts'
import type { StdioOptions } from '../../../src/transports/stdio/stdio-transport.ts'
import { never, transportFor } from './harness.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spawn-failures-'))
  writeFileSync(join(folder, 'plain.txt'), 'no program')
  writeFileSync(join(folder, 'lost'), '#!/no/such/interpreter\n')
  chmodSync(join(folder, 'lost'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

async function failureOf(options: StdioOptions): Promise<SpawnFailedError> {
  const { transport, record } = transportFor(options)
  const failure = await transport.open(record, never).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(record.heard).toEqual([])
  if (failure instanceof SpawnFailedError) return failure
  throw new Error(`no SpawnFailedError but ${failure}`)
}

describe('a server that cannot be started', () => {
  it('because there is no such command: names the PATH that was searched', async () => {
    const failure = await failureOf({ command: 'no-such-program', env: { PATH: '/here:/there' } })
    expect(failure.message).toBe('Cannot start no-such-program: not found in PATH, which is /here:/there')
    expect(failure.cause).toMatchObject({ code: 'ENOENT' })
  })

  it('keeps its arguments to itself', async () => {
    const failure = await failureOf({ command: 'no-such-program', args: ['--token', 'hunter2'] })
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('hunter2')
    expect(failure.cause).toMatchObject({ code: 'ENOENT', path: 'no-such-program' })
  })

  it('because its environment has no PATH: says so', async () => {
    const { message } = await failureOf({ command: 'no-such-program', inheritEnv: false })
    expect(message).toContain('its environment has no PATH')
  })

  it('because a path leads nowhere: names the whole path', async () => {
    const { message } = await failureOf({ command: './missing', cwd: folder })
    expect(message).toContain(`there is no file ${join(folder, 'missing')}`)
    expect((await failureOf({ command: join(folder, 'plain.txt', 'x') })).message).toContain(
      'there is no file',
    )
  })

  it('because the interpreter of a script is missing: names that', async () => {
    const { message } = await failureOf({ command: 'lost', env: { PATH: folder } })
    expect(message).toContain(
      `${join(folder, 'lost')} exists, but the interpreter in its first line does not: #!/no/such/interpreter`,
    )
  })

  it('because the file is not executable: says so', async () => {
    expect((await failureOf({ command: join(folder, 'plain.txt') })).message).toContain('chmod +x')
    expect((await failureOf({ command: folder })).message).toContain('is a directory (EACCES)')
  })

  it('because its working directory is missing or none: names that and not the command', async () => {
    const missing = await failureOf({ command: process.execPath, cwd: join(folder, 'missing') })
    expect(missing.message).toContain(
      `the working directory ${join(folder, 'missing')} does not exist, or is out of reach (cwd)`,
    )
    const file = await failureOf({ command: process.execPath, cwd: join(folder, 'plain.txt') })
    expect(file.message).toContain(`${join(folder, 'plain.txt')} is not a directory (cwd)`)
  })

  it('because an option holds a NUL byte: names the option and not its value', async () => {
    const failure = await failureOf({ command: process.execPath, env: { NAME: 'secret\0' } })
    expect(failure.message).toContain('env["NAME"] holds a NUL byte')
    expect(failure.message).not.toContain('secret')
  })

  it('because its arguments are too long for the system: passes on what that says', async () => {
    const { message } = await failureOf({ command: process.execPath, args: ['x'.repeat(10_000_000)] })
    expect(message).toContain('E2BIG')
    expect(message.length).toBeLessThan(400)
  })

  it('never shows a secret of its arguments', async () => {
    const { message } = await failureOf({ command: 'no-such-program', args: ['--token', 'hunter2'] })
    expect(message).not.toContain('hunter2')
  })
})
