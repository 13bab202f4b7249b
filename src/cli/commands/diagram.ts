import type { Chart } from '../../diagram/chart.ts'
import { suggestion } from '../../nearest.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import { writeJson } from '../text/json.ts'
import { UsageError } from '../usage-error.ts'

export const diagram: CommandModule = {
  needsServer: false,
  examples: [
    'troupe diagram                                      # the machines',
    'troupe diagram connection > connection.mmd          # Mermaid, for Markdown',
    'troupe diagram connection --format dot | dot -Tsvg  # Graphviz',
    'troupe diagram connection --format json             # for Stately',
  ],
  define: (command) =>
    command
      .option('--format <format>', 'mermaid (default), dot or json')
      .option('--json', 'the same as --format json; the list of machines as JSON'),
  async run({ io, operands, options }) {
    const [name] = operands
    const format = options.format ?? (options.json ? 'json' : 'mermaid')
    const draw = drawers.get(format)
    if (!draw)
      throw new UsageError(`--format takes ${[...drawers.keys()].join(', ')}, not ${JSON.stringify(format)}`)
    const { machines } = await import('../../../machines/index.ts')
    const names = Object.keys(machines)
    if (name === undefined) {
      if (format === 'json') writeJson(io.out, { machines: names })
      else io.out.write(`${names.join('\n')}\n`)
      return ExitCode.ok
    }
    const machine = Object.entries(machines).find(([key]) => key === name)?.[1]
    if (!machine)
      throw new UsageError(
        `There is no machine ${JSON.stringify(name)}. ${suggestion(name, names, 'troupe diagram')}`,
      )
    const { describe } = await import('../../diagram/describe.ts')
    io.out.write(await draw(describe(machine)))
    return ExitCode.ok
  },
}

const drawers: ReadonlyMap<string, (chart: Chart) => Promise<string>> = new Map([
  ['mermaid', async (chart: Chart) => (await import('../../diagram/mermaid.ts')).toMermaid(chart)],
  ['dot', async (chart: Chart) => (await import('../../diagram/dot.ts')).toDot(chart)],
  ['json', async (chart: Chart) => `${JSON.stringify(await toStately(chart), undefined, 2)}\n`],
])

async function toStately(chart: Chart): Promise<unknown> {
  return (await import('../../diagram/stately.ts')).toStately(chart)
}
