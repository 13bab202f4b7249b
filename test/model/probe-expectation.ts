import type { Era } from '../../src/protocol/versions.ts'
import type { HandshakeAnswerName, ProbeAnswerName } from './probe-answers.ts'

/** What the probe is to conclude: compared with what the real machine knows after every step. */
export interface Expectation {
  readonly pinned: 'auto' | Era
  readonly hasOlderWire: boolean
  readonly wire: 'given' | 'older'
  readonly asked: readonly string[]
  /** What a DiscoverResult without a version of ours named. */
  readonly listed: readonly string[] | undefined
  readonly era: Era | undefined
  readonly version: string | undefined
  readonly failure: ExpectedFailure | undefined
}

export interface ExpectedFailure {
  readonly name: string
  readonly supported?: readonly string[]
  readonly method?: string
}

export type SpecificationEvent = {
  readonly type:
    | 'open, auto'
    | 'open, modern only'
    | 'open, legacy only'
    | 'open, legacy only, over HTTP'
    | 'open, auto, over HTTP'
    | 'wire opens'
    | 'wire refuses to open'
    | 'silence'
    | 'late probe answer'
    | 'exchange fails'
    | 'older wire opens'
    | 'older wire is not offered'
    | 'server dies'
    | 'host closes'
    | ProbeAnswerName
    | HandshakeAnswerName
}
