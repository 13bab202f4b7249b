import type { HttpSection } from '../../server/config/read-http.ts'
import { originComplaint } from '../../server/http/origin.ts'
import type { Options } from '../invocation.ts'
import { UsageError } from '../usage-error.ts'

/**
 * How to serve over HTTP; undefined: not at all. The command line wins over the file, and adds to what the file lets in.
 * @throws UsageError for what means nothing without HTTP
 */
export function httpOptions(options: Options, file: HttpSection | undefined): HttpSection | undefined {
  const { http: port, host, httpPath: path, allowOrigin, allowHost, legacy } = options
  if (port === undefined && !file) {
    refuseStray(options)
    return undefined
  }
  for (const origin of allowOrigin ?? []) {
    const complaint = originComplaint(origin)
    if (complaint) throw new UsageError(`--allow-origin ${complaint}, not ${JSON.stringify(origin)}`)
  }
  const said = { port, host, path, legacy }
  return {
    ...file,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    allowedOrigins: [...(file?.allowedOrigins ?? []), ...(allowOrigin ?? [])],
    // None at all is not the same as an empty list.
    ...(allowHost && { allowedHosts: [...(file?.allowedHosts ?? []), ...allowHost] }),
  }
}

function refuseStray(options: Options): void {
  const stray = flags.filter(([option]) => options[option] !== undefined).map(([, flag]) => flag)
  if (stray.length > 0)
    throw new UsageError(
      `${stray.join(' and ')} ${stray.length > 1 ? 'mean' : 'means'} something only over HTTP: give --http <port> too`,
    )
}

const flags = [
  ['host', '--host'],
  ['httpPath', '--http-path'],
  ['allowOrigin', '--allow-origin'],
  ['allowHost', '--allow-host'],
  ['legacy', '--legacy'],
] as const
