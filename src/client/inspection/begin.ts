import type { ConnectionSnapshot } from '../../../workers/frames.ts'
import { describeTarget as describeUrl } from '../../transports/http/target.ts'
import { secretsOf } from '../../transports/secrets-of.ts'
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
      new ConnectionInspection({ inspect, name, initial, secrets: secretsIn(wire) }),
  )
}

function targetOf(wire: WireChoice): string {
  if ('open' in wire) return wire.target
  return wire.kind === 'http'
    ? describeUrl(wire.options.url)
    : describeCommand(wire.options.command, wire.options.args)
}

function secretsIn(wire: WireChoice): readonly string[] {
  return 'open' in wire ? (wire.secrets ?? []) : secretsOf(wire.options)
}

let unnamed = 0
