import type { Resource, ResourceTemplate } from '../../protocol/resources.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Sink } from '../io.ts'
import { orNone } from '../list.ts'
import { withServer } from '../session.ts'
import { bytes } from '../text/bytes.ts'
import { entry } from '../text/entry.ts'
import { writeJson } from '../text/json.ts'
import { oneLine } from '../text/printable.ts'
import { type Style, styleFor } from '../text/style.ts'

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
        for (const resource of list) writeEntry(resource, resource.uri, io.out, style)
        for (const template of resourceTemplates) writeEntry(template, template.uriTemplate, io.out, style)
      }
      return ExitCode.ok
    })
  },
}

function writeEntry(item: Resource | ResourceTemplate, uri: string, out: Sink, style: Style): void {
  const size = 'size' in item && typeof item.size === 'number' ? bytes(item.size) : undefined
  const facts = [item.title ?? item.name, item.mimeType, size].map(oneLine).filter((fact) => fact !== '')
  const head = `${style.bold(oneLine(uri))}  ${style.cyan(facts.join(', '))}`.trimEnd()
  out.write(`${entry(head, item.description, out, style)}\n`)
}
