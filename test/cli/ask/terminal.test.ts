import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { atATerminal } from '../at-a-terminal.ts'
import { fixture } from '../harness.ts'
import { enter, up } from '../scripted-person.ts'

it.skipIf(process.platform !== 'linux')('a real terminal is asked, given back, and left', async () => {
  const running = atATerminal(['call', 'echo', 'text=hi', '--ask', ...fixture('modern')])
  let shown = ''
  running.stdout.on('data', (chunk) => {
    const before = shown
    shown += stripVTControlCharacters(`${chunk}`)
    const isAsked = (text: string) => text.includes('Allow this call of echo?')
    if (isAsked(shown) && !isAsked(before)) running.stdin.write(up + up + enter)
  })
  const { exitCode, stdout } = await running
  expect(stripVTControlCharacters(stdout)).toMatch(/Allow once\s+hi\s*$/)
  expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  expect(exitCode).toBe(0)
})
