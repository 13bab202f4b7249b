import { expect, onTestFinished } from 'vitest'
import { McpServer } from '../../../src/server/index.ts'
import { Shell, type ShellConfig } from '../../../src/toolkits/index.ts'
import { livingWith } from '../../e2e/harness.ts'
import { workspace } from '../harness.ts'

export const node = process.execPath

export function shell(config: Partial<ShellConfig> = {}, files = {}) {
  const places = workspace(files)
  const server = new McpServer({ name: 'shell', onLog: () => {} })
  server.plug(new Shell({ allow: [node], root: places.root, ...config }))
  return { ...places, server }
}

/** Runs a program that is given as text. */
export function script(text: string, more = {}) {
  return { command: node, args: ['-e', text], ...more }
}

/** Sets a variable for programs that are let it through; whatever lives with it must be gone at the end. */
export function marked(): string {
  const name = `TROUPE_TEST_${Math.random().toString(36).slice(2)}`
  process.env[name] = 'x'
  onTestFinished(() => {
    delete process.env[name]
    expect(livingWith(`${name}=x`)).toEqual([])
  })
  return name
}
