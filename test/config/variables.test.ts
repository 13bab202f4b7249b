import { describe, expect, it } from 'vitest'
import { complaint, type Env, entry, understand } from './harness.ts'

const env: Env = { TOKEN: 'abc', EMPTY: '', _x1: 'y', gone: undefined }

function filled(text: string): string | undefined {
  const spec = understand(entry({ args: [text] }), env).servers.get('one')?.spec
  return spec && 'command' in spec ? spec.args?.[0] : undefined
}

function refusal(text: string) {
  return complaint(entry({ args: [text] }), env)
}

describe('a variable', () => {
  it.each([
    ['plain', 'plain'],
    [`\${TOKEN}`, 'abc'],
    [`Bearer \${TOKEN}!\${_x1}`, 'Bearer abc!y'],
    [`\${env:TOKEN}`, 'abc'],
    [`\${EMPTY}`, ''],
    [`\${TOKEN:-other}`, 'abc'],
    [`\${EMPTY:-other}`, 'other'],
    [`\${UNSET:-other}`, 'other'],
    [`\${UNSET:-}`, ''],
    [`\${UNSET:-http://host:80/a-b?c=$d}`, 'http://host:80/a-b?c=$d'],
    [`\${env:UNSET:-two words}`, 'two words'],
    [`\${UNSET:-two\nlines}`, 'two\nlines'],
    [`\${workspaceFolder}/x`, '/project/x'],
    ['$TOKEN $ {TOKEN} }', '$TOKEN $ {TOKEN} }'],
    [`$\${TOKEN}`, `\${TOKEN}`],
  ])('in %j becomes %j', (text, value) => {
    expect(filled(text)).toBe(value)
  })

  it('is filled in once: its value is no template', () => {
    const spec = understand(entry({ args: [`\${A}`] }), { A: `\${B}`, B: 'x' }).servers.get('one')?.spec
    expect(spec).toMatchObject({ args: [`\${B}`] })
  })

  it('may stand in every string', () => {
    const one = {
      command: `\${X}`,
      env: { A: `\${X}` },
      cwd: `/\${X}`,
      envFile: `/\${X}`,
      troupe: { prefix: `\${X}`, clientName: `\${X}` },
    }
    const web = { url: `http://\${X}/`, headers: { A: `\${X}` } }
    const read = understand({ mcpServers: { one, web } }, { X: 'x' })
    expect(read.servers.get('one')).toMatchObject({
      spec: { command: 'x', env: { A: 'x' }, cwd: '/x' },
      supervision: { prefix: 'x' },
      client: { clientName: 'x' },
    })
    expect(read.envFiles.get('one')).toBe('/x')
    expect(read.servers.get('web')?.spec).toEqual({ url: 'http://x/', headers: { A: 'x' } })
  })
})

describe('a variable is refused', () => {
  it.each([
    ['that is not set', `\${UNSET}`, 'needs the variable UNSET, which is not set'],
    ['that is not set, of another spelling', `\${env:UNSET}`, 'needs the variable UNSET'],
    ['that was taken out of the environment', `\${gone}`, 'needs the variable gone'],
    ['that only objects have', `\${toString}`, 'needs the variable toString'],
    ['that is never closed', `a \${TOKEN`, 'never closed'],
    ['that is none', `\${a b}`, 'names no variable'],
    ['that is empty', `\${}`, 'names no variable'],
    ['with a default within its default', `\${UNSET:-\${TOKEN}}`, 'a default within the default of UNSET'],
    ['that an editor would ask for', `\${input:api-key}`, 'wants the input "api-key"'],
  ])('%s', (_, text, reason) => {
    const error = refusal(text)
    expect(error.path).toEqual(['mcpServers', 'one', 'args', '0'])
    expect(error.message).toContain(reason)
  })
})

it.each(['=', '-', '+', '?', ':=', ':?'])(
  'what may be a secret is not repeated where it stands after %s',
  (operator) => {
    const { message } = complaint(entry({ env: { A: `pa$\{TOKEN${operator}hunter2}` } }))
    expect(message).toContain('names no variable')
    expect(message).not.toContain('hunter2')
  },
)
