import { execa } from 'execa'
import { program, root } from './harness.ts'

/** Runs the program at a terminal of its own, from which ^C reaches it alone: no shell is left between them. Linux only. */
export function atATerminal(argv: readonly string[]) {
  const words = [process.execPath, ...program(argv)].map((word) => `'${word}'`)
  const command = `exec ${words.join(' ')}`
  return execa('script', ['-qec', command, '/dev/null'], { cwd: root, reject: false, stdin: 'pipe' })
}
