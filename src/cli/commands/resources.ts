import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import { orNone } from '../list.ts'
import { withServer } from '../session.ts'
import { writeJson } from '../text/json.ts'
import { resourceEntry } from '../text/resource-entry.ts'
import { styleFor } from '../text/style.ts'

export const resources: CommandModule = {
  needsServer: true,
  examples: [
    'troupe resources -- node server.js         # troupe read takes their URIs',
    'troupe resources --json -- node server.js  # two lists in one object',
  ],
  async run(invocation) {
    const { io, options } = invocation
    return withServer(invocation, async ({ client, commentary, signal }) => {
      const [list, resourceTemplates] = await Promise.all([
        orNone(client.listResources({ signal })),
        orNone(client.listResourceTemplates({ signal })),
      ])
      if (options.json) writeJson(io.out, { resources: list, resourceTemplates })
      else if (list.length + resourceTemplates.length === 0)
        commentary.remark('This server has no resources.')
      else {
        const style = styleFor(io.out, io.env)
        for (const resource of list) io.out.write(`${resourceEntry(resource, resource.uri, io.out, style)}\n`)
        for (const template of resourceTemplates)
          io.out.write(`${resourceEntry(template, template.uriTemplate, io.out, style)}\n`)
      }
      return ExitCode.ok
    })
  },
}
