import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import { orNone } from '../list.ts'
import { withServer } from '../session.ts'
import { entry } from '../text/entry.ts'
import { writeJson } from '../text/json.ts'
import { promptSignature } from '../text/signature.ts'
import { styleFor } from '../text/style.ts'

export const prompts: CommandModule = {
  needsServer: true,
  examples: [
    'troupe prompts -- node server.js',
    'troupe prompts --json -- node server.js  # {"prompts": [...]}',
  ],
  async run(invocation) {
    const { io, options } = invocation
    return withServer(invocation, async ({ client, commentary, signal }) => {
      const list = await orNone(client.listPrompts({ signal }))
      if (options.json) writeJson(io.out, { prompts: list })
      else if (list.length === 0) commentary.remark('This server has no prompts.')
      else {
        const style = styleFor(io.out, io.env)
        for (const prompt of list) {
          const head = promptSignature(prompt, io.out.columns, style)
          io.out.write(`${entry(head, prompt.description, io.out, style)}\n`)
        }
      }
      return ExitCode.ok
    })
  },
}
