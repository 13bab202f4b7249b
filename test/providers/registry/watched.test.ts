import { expect, it, onTestFinished } from 'vitest'
import { Registry } from '../../../src/index.ts'
import { Heard } from '../../e2e/heard.ts'

const secrets = {
  variable: 'hush-variable',
  argument: 'hush-argument',
  word: 'hush-in-a-url',
  line: 'hush-line-of-a-key',
}

/** A server that says its secrets wherever it says anything, and dies of it. */
const indiscreet = `
  const said = [process.env.VARIABLE, process.env.KEY.split('\\n')[1], ...process.argv.slice(1)].join(' ')
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  process.stdin.once('data', () => {
    say({ method: 'notifications/' + said })
    say({ id: said, method: 'roots/list' })
    say({ id: 'x', method: said, params: { [said]: said } })
    process.stderr.write(said + '\\n', () => process.exit(3))
  })`

it.each(['worker', 'inline'] as const)(
  'whoever watches a supervised server, hosted %s, is shown none of its secrets, whatever it says and dies of',
  async (hosting) => {
    const shown: string[] = []
    const registry = new Registry({
      hosting,
      maxRestarts: 0,
      onWarn: (message) => shown.push(message),
      inspect: (event) => shown.push(JSON.stringify('event' in event ? event.event : event.type)),
    })
    onTestFinished(() => registry.close())
    const downs = new Heard<string>()
    registry.on('child', (event) => {
      shown.push(JSON.stringify(event))
      if (event.state === 'exhausted') downs.hear(event.failure?.message ?? '')
    })
    const args = [
      '-e',
      indiscreet,
      '--',
      `--token=${secrets.argument}`,
      `https://user:${secrets.word}@example.com/`,
    ]
    const env = { VARIABLE: secrets.variable, KEY: `first-line\n${secrets.line}` }
    registry.add({ command: process.execPath, args, env }, { prefix: 'x' })
    expect(await downs.first(() => true)).toContain('its last words: ***')
    const { lastFailure } = registry.providers[0] ?? expect.fail()
    const told = [...shown, JSON.stringify(lastFailure)].join('\n')
    for (const secret of Object.values(secrets)) expect(told).not.toContain(secret)
    expect(told).toContain('notifications/***')
  },
)
