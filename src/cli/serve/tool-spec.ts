import { Place } from '../../config/place.ts'
import { fromObject } from '../../config/source.ts'
import { fromText } from '../../config/source-text.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { UsageError } from '../usage-error.ts'

/** A toolkit as a command line names it: `NAME`, or `NAME={"key": "value"}` with its configuration. */
export interface ToolSpec {
  readonly name: string
  /** Undefined when none is given. */
  readonly config: unknown
  /** For complaints. */
  readonly place: Place
}

/** `where` it stands is for messages. @throws UsageError for what is no such thing */
export function readToolSpec(spec: string, where: string): ToolSpec {
  const [, name = '', json] = /^(.+?)(?:=\s*(\{.*))?$/s.exec(spec) ?? []
  const label = `${where} ${name}`
  if (name === '' || (json === undefined && name.includes('=')))
    throw new UsageError(
      `${where} takes a toolkit's name, or NAME={"key": "value"}, not ${JSON.stringify(spec)}`,
    )
  const config = json === undefined ? undefined : parse(json, label)
  return { name, config, place: new Place(fromObject(config ?? {}), [label]) }
}

function parse(json: string, label: string): unknown {
  try {
    return fromText(json, label).value
  } catch (cause) {
    throw new UsageError(
      `${thrownMessage(cause)}\nShells take quotes away; write it like this: ${label.replace(/ .*/s, '')} 'NAME={"key": "value"}'`,
      { cause },
    )
  }
}
