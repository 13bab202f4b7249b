import type { ProbeReport } from '../../client/probe-report.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Sink } from '../io.ts'
import { oneLine, printable } from './printable.ts'
import type { Style } from './style.ts'
import { wrap } from './wrap.ts'

/** What a probe found out, and what the server said of itself. */
export interface Findings extends ProbeReport {
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
}

type Evidence = ProbeReport['evidence'][number]

/** The evidence step by step, then what is known in the end. */
export function probeText(findings: Findings, { columns }: Sink, style: Style): string {
  const steps = findings.evidence.map((step, index) => stepText(step, index + 1, columns, style))
  const facts = factsOf(findings).map(([name, value]) => {
    const [first = '', ...others] = wrap(value, columns && columns - indent.length).split('\n')
    return [
      `${style.bold(name.padEnd(indent.length))}${first}`,
      ...others.map((line) => `${indent}${line}`.trimEnd()),
    ].join('\n')
  })
  const evidence = steps.length > 0 ? steps.join('\n') : 'Nothing was answered.'
  return `${evidence}\n\n${facts.join('\n')}\n`
}

function answerText({ answer, afterMs }: Evidence): string {
  switch (answer.kind) {
    case 'silence':
      return `no answer within ${afterMs} ms`
    case 'gone':
      return `no answer: ${oneLine(answer.because)}`
    case 'http':
      return `after ${afterMs} ms: HTTP ${answer.status}`
    case 'error':
      return `after ${afterMs} ms: ${errorText(answer.error)}`
    case 'result':
      return `after ${afterMs} ms: ${resultText(answer.result)}`
  }
}

function stepText(step: Evidence, number: number, columns: number | undefined, style: Style): string {
  const { asked, version, verdict, reason } = step
  const isSaidAlready = reason.startsWith('error ') || verdict === 'raised'
  const lead = '   '
  return [
    `${number}. asked ${style.bold(asked)} at ${version}`,
    wrap(answerText(step), columns, lead),
    // The reason of an error is the error: it stands there already.
    wrap(`so ${conclusions[verdict]}${isSaidAlready ? '' : `: ${oneLine(reason)}`}`, columns, lead),
  ].join('\n')
}

const conclusions: { readonly [verdict in Evidence['verdict']]: string } = {
  modern: 'it is modern',
  probeAgain: 'it is asked again',
  legacy: 'the legacy handshake follows',
  unsupported: 'there is no version in common',
  agreed: 'it is legacy',
  refused: 'it refuses the handshake',
  raised: 'nothing is known of its era',
}

function errorText({ code, message }: { readonly code: number; readonly message: string }): string {
  return `error ${code}: ${oneLine(message)}`
}

/** The members a verdict can hang on; of the others only that they are there. */
function resultText(result: JsonObject): string {
  const { supportedVersions, protocolVersion, resultType } = result
  const named = supportedVersions ?? protocolVersion
  if (Array.isArray(named)) return `versions ${listed(named, ', ') || '(none)'}`
  if (typeof named === 'string') return `version ${oneLine(named)}`
  if (typeof resultType === 'string' && resultType !== 'complete')
    return `a result of type ${oneLine(resultType)}`
  const members = Object.keys(result)
  return members.length === 0 ? 'an empty result' : `a result with ${oneLine(members.join(', '))}`
}

function factsOf(findings: Findings): [name: string, value: string][] {
  const { verdict, protocolVersion, supportedVersions, serverInfo, capabilities, instructions } = findings
  const facts: [string, string | undefined][] = [
    ['verdict', verdict],
    ['version', protocolVersion],
    ['also speaks', supportedVersions.filter((version) => version !== protocolVersion).join(', ')],
    ['server', serverInfo && listed([serverInfo.name, serverInfo.version, serverInfo.title], ' · ')],
    ['capabilities', verdict === 'undecided' ? undefined : capabilityText(capabilities)],
    ['instructions', instructions?.trim()],
  ]
  return facts.flatMap(([name, value]): [string, string][] => (value ? [[name, printable(value)]] : []))
}

/** `tools (listChanged), logging`: what is switched on inside of each stands in parentheses. */
function capabilityText(capabilities: JsonObject): string {
  const names = Object.entries(capabilities).map(([name, value]) => {
    const inside = isObject(value) ? Object.keys(value).filter((key) => value[key] !== false) : []
    return inside.length > 0 ? `${name} (${inside.join(', ')})` : name
  })
  return names.join(', ') || 'none'
}

/** What of it is text. */
function listed(values: readonly unknown[], separator: string): string {
  return values.map(oneLine).filter(Boolean).join(separator)
}

const indent = ' '.repeat(14)
