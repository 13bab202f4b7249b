import type { CallToolResult } from '../../protocol/tools.ts'
import type { Ending } from './run-program.ts'

export const resultSchema = {
  type: 'object',
  properties: {
    exitCode: { type: ['integer', 'null'], description: 'null when a signal ended it' },
    signal: { type: ['string', 'null'] },
    endedFor: {
      enum: ['timeout', 'output', 'cancelled'],
      description: 'Why it was ended before it was done: its time was over, it wrote too much, nobody waited',
    },
    stdout: { type: 'string' },
    stderr: { type: 'string' },
  },
  required: ['exitCode', 'signal', 'stdout', 'stderr'],
}

/** Anything but a program that ended by itself with code 0 is a failure. */
export function resultOf(ending: Ending, timeoutMs: number): CallToolResult {
  const { exitCode, signal, endedFor, stdout, stderr } = ending
  const isError = exitCode !== 0 || endedFor !== undefined
  const parts = [stdout, stderr && `[stderr]\n${stderr}`, isError ? `[${howItEnded(ending, timeoutMs)}]` : '']
  const text = parts.filter((part) => part !== '').join('\n')
  return {
    content: [{ type: 'text', text: text || '[it wrote nothing, and exited with code 0]' }],
    structuredContent: { exitCode, signal, ...(endedFor && { endedFor }), stdout, stderr },
    isError,
  }
}

function howItEnded({ exitCode, signal, endedFor }: Ending, timeoutMs: number): string {
  switch (endedFor) {
    case 'timeout':
      return `it was ended, since it ran longer than ${timeoutMs} ms`
    case 'output':
      return 'it was ended, since it wrote too much; let it write less, or to a file'
    case 'cancelled':
      return 'it was ended, since the call was cancelled'
    case undefined:
      return signal ? `it was killed by ${signal}` : `it exited with code ${exitCode}`
  }
}
