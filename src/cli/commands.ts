import type { Command } from 'commander'
import type { Invocation } from './invocation.ts'

/** What a command's own file exports. */
export interface CommandModule {
  /** Whether it talks to a server; then it has the options for that and wants a target. */
  readonly needsServer: boolean
  /** Below the options in its `--help`. */
  readonly notes?: string
  readonly examples: readonly string[]
  /** Adds the options only this command has. */
  define?(command: Command): Command
  /** Resolves with the exit code. */
  run(invocation: Invocation): Promise<number>
}

/** A command as the program lists it. */
export interface ListedCommand {
  readonly usage: string
  readonly summary: string
  readonly load: () => Promise<CommandModule>
}

/** Every command; only the one that is wanted is loaded. */
export const commands: ReadonlyMap<string, ListedCommand> = new Map(
  Object.entries({
    probe: {
      usage: 'probe',
      summary: 'find out which protocol a server speaks, and show how that was found out',
      load: async () => (await import('./commands/probe.ts')).probe,
    },
    tools: {
      usage: 'tools [name]',
      summary: 'list its tools, or one of them in full',
      load: async () => (await import('./commands/tools.ts')).tools,
    },
    call: {
      usage: 'call <tool> [args...]',
      summary: 'call a tool',
      load: async () => (await import('./commands/call.ts')).call,
    },
    resources: {
      usage: 'resources',
      summary: 'list its resources and resource templates',
      load: async () => (await import('./commands/resources.ts')).resources,
    },
    read: {
      usage: 'read <uri>',
      summary: 'read a resource',
      load: async () => (await import('./commands/read.ts')).read,
    },
    prompts: {
      usage: 'prompts',
      summary: 'list its prompts',
      load: async () => (await import('./commands/prompts.ts')).prompts,
    },
    prompt: {
      usage: 'prompt <name> [args...]',
      summary: 'render a prompt',
      load: async () => (await import('./commands/prompt.ts')).prompt,
    },
    auth: {
      usage: 'auth [server]',
      summary: 'sign in to a server on a URL, once for all commands',
      load: async () => (await import('./commands/auth.ts')).auth,
    },
    up: {
      usage: 'up',
      summary: 'run all configured servers, and keep them running',
      load: async () => (await import('./commands/up.ts')).up,
    },
    serve: {
      usage: 'serve',
      summary: 'serve toolkits, on stdin and stdout or over HTTP',
      load: async () => (await import('./commands/serve.ts')).serve,
    },
    describe: {
      usage: 'describe <toolkit>',
      summary: 'show how a toolkit is configured, and what it has',
      load: async () => (await import('./commands/describe.ts')).describe,
    },
    policy: {
      usage: 'policy [words...]',
      summary: 'explain what rules make of a call, or import rules',
      load: async () => (await import('./commands/policy.ts')).policy,
    },
    diagram: {
      usage: 'diagram [machine]',
      summary: 'draw a state machine of this package, or list them',
      load: async () => (await import('./commands/diagram.ts')).diagram,
    },
  }),
)
