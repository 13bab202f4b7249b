import { once } from 'node:events'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { packageVersion } from '../../src/version.ts'
import { everything, fixture, json, program, spawning, spawnTroupe } from './harness.ts'

const modern = fixture('modern')

describe('the program', () => {
  it('writes its output and exits', async () => {
    expect(await spawnTroupe(['--version'])).toMatchObject({
      exitCode: 0,
      stdout: packageVersion,
      stderr: '',
    })
    expect(await spawnTroupe(['call', 'echo', 'message=hi', ...everything])).toMatchObject({
      exitCode: 0,
      stdout: 'Echo: hi',
      stderr: '',
    })
  })

  it('exits with the code of a failure', async () => {
    expect(await spawnTroupe(['tools'])).toMatchObject({ exitCode: 1, stdout: '' })
    expect(await spawnTroupe(['call', 'fail', ...modern])).toMatchObject({ exitCode: 5, stdout: '' })
    const crashed = await spawnTroupe(['call', 'crash', '--json', ...modern])
    expect(crashed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(json(crashed.stderr)).toMatchObject({
      error: { exitCode: 3, stderrTail: ['goodbye, cruel world'] },
    })
  })

  it('reads arguments from stdin', async () => {
    const argv = ['call', 'echo', '-', ...modern]
    const piping = { ...spawning, stdin: 'pipe', input: '{"text":"piped"}' } as const
    const { stdout } = await execa(process.execPath, program(argv), piping)
    expect(stdout).toBe('piped')
  })

  it('writes bytes to a pipe, all of them', async () => {
    const binary = { ...spawning, encoding: 'buffer' } as const
    const { stdout } = await execa(process.execPath, program(['read', 'fixture://pixel', ...modern]), binary)
    expect(Buffer.from(stdout)).toEqual(Buffer.from([0, 1, 254, 255]))
    const big = await spawnTroupe(['call', 'big', 'bytes=3000000', ...modern])
    expect(big.stdout).toHaveLength(3_000_000)
  })

  it('gives the server its folder and variables', async () => {
    const code = `console.error(process.cwd(), process.env.TROUPE_A, process.env.TROUPE_B)`
    const options = ['--cwd', '/', '--env', 'TROUPE_A=1', '--env', 'TROUPE_B=x=y']
    const { stderr, exitCode } = await spawnTroupe(['tools', ...options, '--', process.execPath, '-e', code])
    expect(stderr).toContain('its last words: / 1 x=y')
    expect(exitCode).toBe(2)
  })
})

it.skipIf(process.platform !== 'linux')('says when its output cannot be written', async () => {
  const shell = ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, ...program(['diagram'])]
  const { exitCode, stderr } = await execa('sh', shell, spawning)
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'error: Cannot write the output: ENOSPC: no space left on device, write',
  })
})

describe('a reader that leaves', () => {
  it('is no fault of anyone', async () => {
    const running = spawnTroupe(['call', 'big', 'bytes=3000000', ...modern])
    running.stdout.destroy()
    expect(await running).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('may leave stderr too', async () => {
    const running = spawnTroupe(['call', 'crash', '--verbose', ...modern])
    running.stdout.destroy()
    running.stderr.destroy()
    expect(await running).toMatchObject({ exitCode: 2 })
  })
})

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the call, tells the server, and exits with %i', async (signal, exitCode) => {
    const running = spawnTroupe(['call', 'hang', '--verbose', ...modern])
    await seen(running.stderr, '"method":"tools/call"')
    running.kill(signal)
    const { stderr, stdout, ...ended } = await running
    expect(ended.exitCode).toBe(exitCode)
    expect(stderr).toContain('"method":"notifications/cancelled"')
    expect(stderr).toMatch(/server \| cancelled /)
    expect(stderr).not.toContain('error:')
    expect(stdout).toBe('')
  })

  it('ends waiting for arguments from stdin', async () => {
    const argv = ['call', 'echo', '-', ...modern]
    const running = execa(process.execPath, program(argv), { ...spawning, stdin: 'pipe' })
    // More than a pipe holds: once it drains, somebody reads.
    if (!running.stdin.write(' '.repeat(1_000_000))) await once(running.stdin, 'drain')
    running.kill('SIGINT')
    expect(await running).toMatchObject({ exitCode: 130 })
  })

  it('does not wait for a stubborn server when it comes twice', async () => {
    const running = spawnTroupe(['tools', '--verbose', ...fixture('ignores-sigterm')])
    await seen(running.stderr, 'server/discover')
    running.kill('SIGINT')
    await seen(running.stderr, 'SIGTERM? no.')
    running.kill('SIGINT')
    expect(await running).toMatchObject({ exitCode: 130 })
  })
})

/** Resolves when a stream carried that text. */
async function seen(stream: NodeJS.ReadableStream, text: string): Promise<void> {
  let carried = ''
  await new Promise<void>((resolve) => {
    stream.on('data', (chunk) => {
      carried += chunk
      if (carried.includes(text)) resolve()
    })
  })
}
