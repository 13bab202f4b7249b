import { suggestion } from '../../nearest.ts'
import type { CommandModule } from '../commands.ts'
import { UsageError } from '../usage-error.ts'

export const policy: CommandModule = {
  needsServer: false,
  notes: `Actions:
  explain <tool> <json>    what the configured rules make of a call, and why
  import <settings|rule>…  translates permissions of Claude Code: settings.json
                           (- for stdin), or rules like 'Bash(git *)'; what they
                           say of shells, files and pages becomes rules for the
                           built-in packs (sh_run, fs_*) and for web_fetch`,
  examples: [
    `troupe policy explain fs_write '{"path":"notes.txt"}'`,
    `troupe policy explain sh_run '{"command":"git","args":["push","-f"]}' --json`,
    'troupe policy import .claude/settings.json',
    "troupe policy import --decision deny 'WebFetch(domain:example.com)'",
  ],
  define: (command) =>
    command
      .option('--config <file>', 'where rules and servers are configured (default: as for up)')
      .option('--decision <decision>', 'of rules given as words: allow (default), ask or deny')
      .option('--json', 'write one JSON document to stdout'),
  async run(invocation) {
    const [action = ''] = invocation.operands
    const load = actions.get(action)
    if (load) return (await load())(invocation)
    throw new UsageError(
      `${action ? `troupe policy cannot ${JSON.stringify(action)}` : 'What to do comes first'}. ${suggestion(action, [...actions.keys()], 'troupe policy --help')}`,
    )
  },
}

const actions = new Map<string, () => Promise<CommandModule['run']>>([
  ['explain', async () => (await import('./policy-explain.ts')).policyExplain],
  ['import', async () => (await import('./policy-import.ts')).policyImport],
])
