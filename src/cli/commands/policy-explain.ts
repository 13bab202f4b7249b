import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { explain } from '../../providers/policy/explain.ts'
import { GrantsFile } from '../../providers/policy/grants-file.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { openConfig } from '../named-server.ts'
import { explanationText } from '../policy/explanation-text.ts'
import { standingPolicy } from '../policy/standing-policy.ts'
import { writeJson } from '../text/json.ts'
import { styleFor } from '../text/style.ts'
import { UsageError } from '../usage-error.ts'

/** Shows what the configured rules make of a call, without making it. */
export async function policyExplain({ io, operands, options }: Invocation): Promise<number> {
  const [, tool, text, ...more] = operands
  if (tool === undefined || text === undefined || more.length > 0)
    throw new UsageError(`Write: troupe policy explain <tool> '{"argument": "value"}'`)
  const args = readArguments(text)
  const config = await openConfig(options.config, io)
  const { grantsFile } = config?.settings ?? {}
  const grants = grantsFile === undefined ? [] : (await GrantsFile.open(grantsFile)).grants.grants
  const policy = standingPolicy(config ?? { settings: { floor: true }, files: [] })
  const explanation = explain({ ...policy, grants }, tool, args)
  if (options.json) writeJson(io.out, explanation)
  else io.out.write(`${explanationText(explanation, styleFor(io.out, io.env))}\n`)
  return ExitCode.ok
}

function readArguments(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (cause) {
    throw new UsageError(`The arguments are no valid JSON: ${thrownMessage(cause)}`, { cause })
  }
  throw new UsageError('The arguments of a call are one JSON object')
}
