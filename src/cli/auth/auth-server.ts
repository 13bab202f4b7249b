import type { AuthOptions } from '../../auth/auth-options.ts'
import type { ConfiguredServer } from '../../config/config.ts'
import { suggestion } from '../../nearest.ts'
import { describeTarget } from '../../transports/http/target.ts'
import type { Invocation } from '../invocation.ts'
import { openConfig } from '../named-server.ts'
import { UsageError } from '../usage-error.ts'

/** A server that somebody signs in to. */
export interface AuthServer {
  readonly url: string
  /** As it is configured, where it was named so. */
  readonly configured?: ConfiguredServer
  readonly auth?: AuthOptions
  /** For people. */
  readonly shown: string
}

/** The server of `troupe auth`: by its URL, or its name in the configuration. Undefined where none was named. @throws UsageError */
export async function authServer({ io, operands, options }: Invocation): Promise<AuthServer | undefined> {
  const [operand] = operands
  if (operand !== undefined && options.url !== undefined)
    throw new UsageError('Name one server: either by --url, or as an argument')
  const url = options.url ?? (operand !== undefined && /^https?:\/\//i.test(operand) ? operand : undefined)
  if (url !== undefined) return { url: checked(url), shown: describeTarget(url) }
  if (operand === undefined) return undefined
  const config = await openConfig(options.config, io)
  if (!config)
    throw new UsageError(
      `There is no server ${JSON.stringify(operand)}: none is configured here. Name it by its URL: troupe auth https://example.com/mcp`,
    )
  const configured = config.servers.get(operand)
  if (!configured)
    throw new UsageError(
      `There is no server ${JSON.stringify(operand)} in ${config.files[0]}. ${suggestion(operand, [...config.servers.keys()], 'troupe up')}`,
    )
  const { spec } = configured
  if (!('url' in spec))
    throw new UsageError(`${operand} is a program that runs here; only servers on a URL are signed in to`)
  io.hide(configured.secrets)
  return { url: spec.url, configured, auth: spec.auth, shown: operand }
}

/** Not repeated: a URL may hold a secret. */
function checked(url: string): string {
  if (URL.canParse(url)) return url
  throw new UsageError('That is no URL; write troupe auth https://example.com/mcp')
}
