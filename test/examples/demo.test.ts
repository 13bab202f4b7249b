import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'

it('the demo shows every part of the main job, and ends well', async () => {
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const { stdout, stderr } = await execa(process.execPath, ['--import', 'tsx', 'examples/demo.ts'], { cwd })
  expect(stderr).toBe('')
  const shown = [
    /everything: up \(generation 1\)/,
    /everything: legacy 2025-11-25, .*\n +asked server\/discover: .*\n +asked initialize: agreed on 2025-11-25/,
    /modern: modern 2026-07-28, /,
    /modern on HTTP: modern 2026-07-28, /,
    /legacy on HTTP: legacy 2025-11-25, /,
    /█████ 5\/5/,
    /the server asks: Who are you\?\n {2}Hello, Ada!/,
    /ServerGoneError SERVER_GONE: signal SIGKILL/,
    /its last words: Starting/,
    /everything: up \(generation 2\)/,
    /a call waits until it is up again: Echo: I am back/,
    /→ files_read_text_file .*\n {2}← Every connection is a machine\./,
    /everything: stopped \(generation 2\)/,
    /nothing is left running$/,
  ]
  for (const line of shown) expect(stdout).toMatch(line)
})
