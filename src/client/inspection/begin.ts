import type { ConnectionSnapshot } from '../../../workers/frames.ts'
import { withWords } from '../../redactor.ts'
import { describeTarget as describeUrl } from '../../transports/http/target.ts'
import { describeTarget as describeCommand } from '../../transports/stdio/target.ts'
import type { WireChoice } from '../open-link.ts'
import type { ClientOptions } from '../options.ts'
import type { ConnectionInspection } from './connection-inspection.ts'

/** Whoever watches a connection, as its reports reach them; undefined when it was given nobody. The machines are loaded only then. */
export function beginInspection(
  { inspect, inspectAs }: Pick<ClientOptions, 'inspect' | 'inspectAs'>,
  wire: WireChoice,
  initial: ConnectionSnapshot,
): Promise<ConnectionInspection> | undefined {
  if (!inspect) return undefined
  const name = inspectAs ?? `${targetOf(wire)} ${++unnamed}`
  return import('./connection-inspection.ts').then(
    ({ ConnectionInspection }) =>
      new ConnectionInspection({ inspect, name, initial, secrets: secretsOf(wire) }),
  )
}

function targetOf(wire: WireChoice): string {
  if ('open' in wire) return wire.target
  return wire.kind === 'http'
    ? describeUrl(wire.options.url)
    : describeCommand(wire.options.command, wire.options.args)
}

function secretsOf(wire: WireChoice): readonly string[] {
  if ('open' in wire) return wire.secrets ?? []
  return wire.kind === 'http' ? withWords(wire.options.headers) : Object.values(wire.options.env ?? {})
}

let unnamed = 0
