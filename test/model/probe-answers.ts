import type { HandshakeOutcome } from '../../src/protocol/handshake.ts'
import type { ProbeOutcome } from '../../src/protocol/probe.ts'

/** Two modern versions of ours, best first. The second is of no real revision: the judgement knows only what it is told. */
export const first = '2026-07-28'
export const second = '2026-01-15'
export const ours: readonly string[] = [first, second]

/** Everything a server can answer to `server/discover`, by what it means. */
export const probeAnswers = {
  'names first': named([first]),
  'names second': named([second]),
  'names both, ours last': named([second, first, '2025-11-25']),
  'names none of ours': named(['2031-01-01']),
  'names no version': named([]),
  'malformed result': result({ supportedVersions: '2026-07-28' }),
  input_required: result({ supportedVersions: [first], resultType: 'input_required' }),
  'refused, names first': refused({ supported: [first] }),
  'refused, names second': refused({ supported: [second, '2025-11-25'] }),
  'refused, names both': refused({ supported: [first, second] }),
  'refused, names legacy': refused({ supported: ['2025-06-18', '2025-11-25'] }),
  'refused, names legacy and first': refused({ supported: ['2025-11-25', first] }),
  'refused, names unknown': refused({ supported: ['2031-01-01'] }),
  'refused, malformed data': refused({ supported: '2025-11-25' }),
  'header mismatch': error(-32020),
  'capability missing': error(-32021),
  'method not found': error(-32601),
  'invalid params': error(-32602),
  'parse error without id': error(-32700),
  'HTTP 404': { kind: 'http', status: 404 },
} as const satisfies { readonly [name: string]: ProbeOutcome }

/** Everything a server can answer to `initialize`. */
export const handshakeAnswers = {
  'agrees on 2025-11-25': result({ protocolVersion: '2025-11-25', capabilities: { tools: {} } }),
  'agrees on 2024-11-05': result({ protocolVersion: '2024-11-05', capabilities: {} }),
  'insists on unknown': result({ protocolVersion: '2031-01-01', capabilities: {} }),
  'answers without version': result({ capabilities: {} }),
  'refuses, names versions': {
    kind: 'error',
    error: { code: -32602, message: 'no', data: { supported: ['1.0'], requested: '2025-11-25' } },
  },
  'refuses, names first': refused({ supported: [first] }),
  refuses: error(-32601),
  'HTTP 405': { kind: 'http', status: 405 },
} as const satisfies { readonly [name: string]: HandshakeOutcome }

export type ProbeAnswerName = keyof typeof probeAnswers
export type HandshakeAnswerName = keyof typeof handshakeAnswers

function result<Result extends object>(body: Result) {
  return { kind: 'result', result: { ...body } } as const
}

function named(supportedVersions: readonly string[]) {
  return result({ resultType: 'complete', supportedVersions, capabilities: { tools: {} } })
}

function error(code: number) {
  return { kind: 'error', error: { code, message: `error ${code}` } } as const
}

function refused(data: object) {
  return { kind: 'error', error: { code: -32022, message: 'unsupported', data } } as const
}
