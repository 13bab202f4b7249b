import { describe, expect, it } from 'vitest'
import { candidates, resolveCommand } from '../../../src/transports/stdio/resolve-command.ts'

const windows = {
  cwd: 'C:\\project',
  env: { Path: 'C:\\tools;;"C:\\Program Files\\nodejs"' },
  platform: 'win32',
} as const
const files = [
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npx.cmd',
  'C:\\tools\\uvx.cmd',
  'C:\\Program Files\\nodejs\\uvx.exe',
  'C:\\tools\\script.py',
  'C:\\project\\server.bat',
  'C:\\project\\node.exe',
]

function onWindows(command: string) {
  return resolveCommand({ ...windows, command }, (path) => files.includes(path))
}

describe('a command on Windows', () => {
  it('is resolved to the program itself', () => {
    expect(onWindows('node')).toEqual({ file: 'C:\\Program Files\\nodejs\\node.exe' })
    expect(onWindows('node.exe')).toEqual({ file: 'C:\\Program Files\\nodejs\\node.exe' })
    expect(onWindows('C:/Program Files/nodejs/node')).toEqual({ file: 'C:\\Program Files\\nodejs\\node.exe' })
  })

  it('is never taken from the working directory by its bare name', () => {
    expect(onWindows('.\\node')).toEqual({ file: 'C:\\project\\node.exe' })
    expect(onWindows('node')).not.toEqual({ file: 'C:\\project\\node.exe' })
  })

  it('is a real program even when a batch file comes first in PATH', () => {
    expect(onWindows('uvx')).toEqual({ file: 'C:\\Program Files\\nodejs\\uvx.exe' })
  })

  it('that is a batch file is refused, with what to write instead', () => {
    const refused =
      'C:\\Program Files\\nodejs\\npx.cmd is a batch file, which needs a shell; write command "cmd.exe" and args ["/c", "npx", …]'
    expect(onWindows('npx')).toEqual({ refused })
    expect(onWindows('npx.cmd')).toEqual({ refused: refused.replace('"npx"', '"npx.cmd"') })
    expect(onWindows('.\\server.bat')).toMatchObject({ refused: expect.stringContaining('"/c"') })
  })

  it('that is a script is refused, with what to write instead', () => {
    expect(onWindows('script.py')).toMatchObject({ refused: expect.stringContaining('first in args') })
  })

  it('that is missing is refused with where it was looked for', () => {
    expect(onWindows('nothing')).toEqual({ refused: `not found in PATH, which is ${windows.env.Path}` })
    expect(onWindows('.\\nothing.exe')).toEqual({ refused: 'there is no file C:\\project\\nothing.exe' })
  })
})

describe('a command elsewhere', () => {
  const linux = { cwd: '/project', env: { PATH: '/usr/bin::/bin' }, platform: 'linux' } as const

  it('is left to the system, which searches PATH itself', () => {
    expect(resolveCommand({ ...linux, command: 'npx' }, () => false)).toEqual({ file: 'npx' })
  })

  it('may mean these files', () => {
    expect(candidates({ ...linux, command: 'npx' })).toEqual(['/usr/bin/npx', '/project/npx', '/bin/npx'])
    expect(candidates({ ...linux, command: './npx' })).toEqual(['/project/npx'])
  })

  it('is refused when it is empty', () => {
    expect(resolveCommand({ ...linux, command: '' }, () => true)).toEqual({ refused: 'command is empty' })
  })
})
