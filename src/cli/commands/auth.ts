import type { CommandModule } from '../commands.ts'
import { milliseconds } from '../server-options.ts'

export const auth: CommandModule = {
  needsServer: false,
  notes: `A server is named as it is configured, or by its URL. Its sign-in is kept for
all other commands: sealed by the system's keychain where that works, else in
files of yours alone, under mcp-troupe/sign-ins in the folder for configuration
(TROUPE_SIGN_INS names another one). No token is ever shown.

Where clients cannot register by themselves, its configuration names one that
was, beside its url: "auth": {"clientId": "…", "scopes": ["…"]}`,
  examples: [
    'troupe auth https://example.com/mcp',
    'troupe auth notes                   # as .mcp.json names it',
    'troupe auth notes --manual          # with a browser on another machine',
    'troupe auth --list                  # what there is, and until when',
    'troupe auth --reset notes           # forgets it',
  ],
  define: (command) =>
    command
      .option('--url <url>', 'the server at this address')
      .option('--config <file>', 'where servers have names (default: .mcp.json, here or in a folder above)')
      .option('--list', 'show every sign-in there is')
      .option('--reset', 'forget the sign-in of a server, or all of them')
      .option('--no-browser', 'open no browser, only say where to go')
      .option('--manual', 'ask for the address that the browser ended at, as it cannot come back here')
      .option('--timeout <ms>', 'how long you may take; 0: for ever (default: 300000)', milliseconds)
      .option('--verbose', 'show every message and warning, on stderr')
      .option('--json', 'write one JSON document to stdout'),
  async run(invocation) {
    const { options } = invocation
    if (options.list) return (await import('../auth/list.ts')).list(invocation)
    if (options.reset) return (await import('../auth/reset.ts')).reset(invocation)
    return (await import('../auth/sign-in.ts')).signIn(invocation)
  },
}
