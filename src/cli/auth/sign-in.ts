import { type InteractiveSignInOptions, interactiveSignIn } from '../../auth/sign-in/interactive-sign-in.ts'
import { findSignIn } from '../../auth/sign-ins.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { orNone } from '../list.ts'
import { type Session, withServer } from '../session.ts'
import { writeJson } from '../text/json.ts'
import { styleFor } from '../text/style.ts'
import { UsageError } from '../usage-error.ts'
import { type AuthServer, authServer } from './auth-server.ts'
import { pasteRedirect } from './paste-redirect.ts'
import { signInDocument, signInText } from './sign-in-text.ts'
import { signInsOf } from './sign-ins-of.ts'

/** Has a person sign in to a server, and keeps what comes of it for all other commands. */
export async function signIn(invocation: Invocation): Promise<number> {
  const server = await authServer(invocation)
  if (!server) throw new UsageError('Which server? Write its URL, or the name it is configured under')
  const { io, options } = invocation
  const store = signInsOf(io)
  const giveUp = new AbortController()
  let wasAsked = false
  await using desk = await interactiveSignIn({
    onUrl: (url) => {
      wasAsked = true
      sayWhere(url, server, invocation)
    },
    openUrl: openerOf(invocation),
    pasteRedirect: options.manual ? pasteRedirect(io, giveUp) : undefined,
    timeoutMs: 0,
    appName: 'troupe',
  })
  const { redirectUri, onRedirect } = desk
  const auth = { ...server.auth, redirectUri, onRedirect, store, signInTimeoutMs: options.timeout }
  // What lets anybody ask who it is may want to know who asks for its tools.
  const list = ({ client, signal }: Session) => orNone(client.listTools({ signal }))
  await withServer(towards(server, invocation, giveUp.signal), list, { auth })
  const found = await findSignIn(store, server.url, server.auth)
  if (options.json) writeJson(io.out, { signIn: found ? signInDocument(found) : null })
  else if (!found) io.err.write(`${server.shown} answers anybody: there is nothing to sign in to.\n`)
  else {
    if (!wasAsked) io.err.write('You are signed in already; --reset forgets it.\n')
    io.out.write(`${signInText(found, styleFor(io.out, io.env))}\n`)
  }
  return ExitCode.ok
}

/** Only where there is a person; what runs without a terminal opens nothing. */
function openerOf({ io: { terminal }, options }: Invocation): InteractiveSignInOptions['openUrl'] {
  const isWanted = options.browser !== false && !options.manual
  return terminal && isWanted ? (url) => terminal.openUrl(url) : false
}

/** On one line of its own, to be copied. */
function sayWhere(url: URL, { shown }: AuthServer, { io: { err, env }, options }: Invocation): void {
  const style = styleFor(err, env)
  err.write(`Sign in to ${style.bold(shown)} on this page:\n\n${url.href}\n\n`)
  if (options.manual)
    err.write('At its end the browser fails to load a page of 127.0.0.1: that is as it should be.\n')
}

/** `--timeout` is the person's; the server has its own. */
function towards(
  { url, configured }: AuthServer,
  { io, options, ...rest }: Invocation,
  givenUp: AbortSignal,
): Invocation {
  const { timeout: _, ...others } = options
  const interrupt = AbortSignal.any([io.interrupt, givenUp])
  const where = { server: configured, options: { ...others, url: configured ? undefined : url } }
  return { ...rest, ...where, io: { ...io, interrupt } }
}
