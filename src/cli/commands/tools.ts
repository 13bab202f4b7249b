import { suggestion } from '../../nearest.ts'
import type { Tool } from '../../protocol/tools.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { orNone } from '../list.ts'
import { withServer } from '../session.ts'
import { entry } from '../text/entry.ts'
import { writeJson } from '../text/json.ts'
import { oneLine } from '../text/printable.ts'
import { toolSignature } from '../text/signature.ts'
import { styleFor } from '../text/style.ts'
import { toolPage } from '../text/tool-page.ts'
import { UsageError } from '../usage-error.ts'

export const tools: CommandModule = {
  needsServer: true,
  examples: [
    'troupe tools -- node server.js              # each as a function',
    'troupe tools echo -- node server.js         # one, with all there is to say',
    'troupe tools --json -- node server.js       # {"tools": [...]}',
    'troupe tools echo --json -- node server.js  # the one tool',
  ],
  async run(invocation) {
    const [name] = invocation.operands
    return withServer(invocation, async ({ client, commentary, signal }) => {
      const list = await orNone(client.listTools({ signal }))
      if (name !== undefined) show(findTool(name, list), invocation)
      else if (invocation.options.json) writeJson(invocation.io.out, { tools: list })
      else if (list.length === 0) commentary.remark('This server has no tools.')
      else writeList(list, invocation)
      return ExitCode.ok
    })
  },
}

/** @throws UsageError when there is none of that name. */
export function findTool(name: string, list: readonly Tool[]): Tool {
  const tool = list.find((one) => one.name === name)
  if (tool) return tool
  const names = list.map((one) => oneLine(one.name))
  throw new UsageError(
    `The server has no tool ${JSON.stringify(name)}. ${suggestion(name, names, 'troupe tools')}`,
  )
}

function writeList(list: readonly Tool[], { io: { out, env } }: Invocation): void {
  const style = styleFor(out, env)
  for (const tool of list)
    out.write(`${entry(toolSignature(tool, out.columns, style), tool.description, out, style)}\n`)
}

function show(tool: Tool, { io: { out, env }, options }: Invocation): void {
  if (options.json) writeJson(out, tool)
  else out.write(toolPage(tool, out, styleFor(out, env)))
}
