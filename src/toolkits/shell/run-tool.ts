import { isAbsolute } from 'node:path'
import type { Registrar } from '../../server/registration/registrar.ts'
import { searchPath } from '../../transports/stdio/child-env.ts'
import { doing, Refusal, shown } from '../root/refusal.ts'
import type { Root } from '../root/root.ts'
import type { ShellConfig } from './config.ts'
import { environment } from './environment.ts'
import { resultOf, resultSchema } from './result.ts'
import { runProgram } from './run-program.ts'

export function runTool(registrar: Registrar, root: Root, config: Required<ShellConfig>): void {
  const { allow, maxPrograms, timeoutMs: longestMs } = config
  let running = 0
  registrar.tool(
    'run',
    {
      description: `Runs a program and waits for its end. There is no shell: no pipes, redirections, globs or variables. Programs: ${allow.join(', ')}.`,
      params: {
        command: { type: 'string', description: 'The program, by its name alone', required: true },
        args: {
          type: 'array',
          items: { type: 'string' },
          description: 'Its arguments, one an entry, without quotes around them',
        },
        cwd: { type: 'string', description: 'The directory to start in, from the root; default the root' },
        timeoutMs: { type: 'integer', minimum: 1, maximum: longestMs, description: `Default ${longestMs}` },
      },
      outputSchema: resultSchema,
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ({ command, args = [], cwd = '.', timeoutMs = longestMs }, { signal }) =>
      doing(`run ${shown(command)}`, async () => {
        if (!allow.includes(command)) throw notAllowed(allow)
        if (running >= maxPrograms)
          throw new Refusal(`${running} programs are running, and more may not; wait until one has ended`)
        running += 1
        try {
          return await root.within(cwd, async ({ self }) => {
            const env = environment(config.variables, root)
            // The system would look in places of its own choice, maybe below the root.
            if (!isAbsolute(command) && searchPath(env, process.platform) === undefined)
              throw new Refusal('there is no folder of PATH outside of the root to look for it in')
            const program = { command, args: args.map(String), cwd: self, env, timeoutMs, signal }
            return resultOf(await runProgram({ ...program, ...limits(config) }), timeoutMs)
          })
        } finally {
          running -= 1
        }
      }),
  )
}

function notAllowed(allow: readonly string[]): Refusal {
  return new Refusal(`only these programs are run here, by exactly these names: ${allow.join(', ')}`)
}

function limits({ keepBytes, maxOutputBytes, killGraceMs }: Required<ShellConfig>) {
  return { keepBytes, maxOutputBytes, killGraceMs }
}
