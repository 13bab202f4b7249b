import type { Registrar } from '../../server/registration/registrar.ts'
import { doing, Refusal, shown } from '../root/refusal.ts'
import type { Root } from '../root/root.ts'
import type { ShellConfig } from './config.ts'
import { environment } from './environment.ts'
import { resultOf, resultSchema } from './result.ts'
import { runProgram } from './run-program.ts'

export function runTool(registrar: Registrar, root: Root, config: Required<ShellConfig>): void {
  const { allow, timeoutMs: longestMs } = config
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
      doing(`run ${shown(command)}`, () => {
        if (!allow.includes(command)) throw notAllowed(allow)
        return root.within(cwd, async (directory) => {
          const ending = await runProgram({
            command,
            args: args as readonly string[],
            cwd: directory.self,
            env: environment(config.variables, root),
            timeoutMs,
            signal,
            ...limits(config),
          })
          return resultOf(ending, timeoutMs)
        })
      }),
  )
}

function notAllowed(allow: readonly string[]): Refusal {
  return new Refusal(`only these programs are run here, by exactly these names: ${allow.join(', ')}`)
}

function limits({ keepBytes, maxOutputBytes, killGraceMs }: Required<ShellConfig>) {
  return { keepBytes, maxOutputBytes, killGraceMs }
}
