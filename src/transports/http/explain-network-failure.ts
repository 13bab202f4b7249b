import { HttpError } from '../../errors.ts'

export interface NetworkFacts {
  /** `host:port`, or the path of a socket. */
  readonly address: string
  readonly proxy: string | undefined
  readonly connectTimeoutMs: number
  /** Whether an answer had begun. */
  readonly hasHead: boolean
}

/** Says who could not be reached, why, and what to change. `cause` is what the system said, as something that crosses threads. */
export function explainNetworkFailure(error: Error, facts: NetworkFacts): HttpError {
  const { address, proxy } = facts
  const route = proxy === undefined ? '' : ` (the environment names a proxy: ${proxy})`
  return new HttpError(
    { status: 0, reason: `${address}: ${describe(error, facts)}${route}` },
    { cause: asCause(error) },
  )
}

/** Whether the other side ended the connection without a word, as it does with one that was idle for too long. */
export function isReset(error: Error): boolean {
  const code = codeOf(error)
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET'
}

function describe(error: Error, { connectTimeoutMs, hasHead, address }: NetworkFacts): string {
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return `no connection within ${connectTimeoutMs} ms (connectTimeoutMs)`
  if (hasHead && (isReset(error) || isGarbled(error)))
    return 'the connection broke in the middle of an answer'
  if (isReset(error)) return 'the connection was closed before an answer came'
  const host = address.replace(/:\d+$/, '')
  const tls = tlsProblems[code]
  if (
    tls !== undefined ||
    code.startsWith('ERR_TLS') ||
    code.startsWith('ERR_SSL') ||
    /certificate/i.test(code)
  )
    return `no secure connection to ${host}: ${tls ?? error.message} (${code})`
  if (isGarbled(error)) return `what answers does not speak HTTP (${error.message})`
  return problems[code] ?? (error.message || code)
}

/** Also what ends in the middle: it has another length than it said. */
function isGarbled(error: Error): boolean {
  return error.name === 'HTTPParserError' || codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
}

/** The first of several: one error for each address that was tried. */
function codeOf(error: Error): string {
  const { code, errors } = error as { code?: unknown; errors?: readonly { code?: unknown }[] }
  return String(code ?? errors?.[0]?.code ?? '')
}

/** Errors of TLS carry whole certificates, which are no business of a log and may not cross a thread. */
function asCause(error: Error): Error {
  const { name, message, stack } = error
  const code = codeOf(error)
  const copy = Object.assign(new Error(message), code && { code })
  return Object.defineProperties(copy, {
    name: { value: name, configurable: true, writable: true },
    stack: { value: stack, configurable: true, writable: true },
  })
}

const problems: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there; is the server running, and the port right? (ECONNREFUSED)',
  ENOTFOUND: 'there is no such host; check the name (ENOTFOUND)',
  EAI_AGAIN: 'the name could not be looked up; is there a network? (EAI_AGAIN)',
  ETIMEDOUT: 'the network gave up on it (ETIMEDOUT)',
  EHOSTUNREACH: 'there is no route to it (EHOSTUNREACH)',
  ENETUNREACH: 'there is no network to it (ENETUNREACH)',
  ENOENT: 'there is no such socket; is the server running? (ENOENT)',
  EACCES: 'it may not be opened (EACCES)',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are larger than 16 KiB (UND_ERR_HEADERS_OVERFLOW)',
  EMFILE: 'this process has too many open files (EMFILE)',
}

const tlsProblems: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; trust it with NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate comes from an unknown authority; trust that with NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the authority of its certificate is unknown; trust it with NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the authority of its certificate is unknown; trust it with NODE_EXTRA_CA_CERTS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; is the clock right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'that port does not speak TLS; is it http:?',
  EPROTO: 'that port does not speak TLS; is it http:?',
}
