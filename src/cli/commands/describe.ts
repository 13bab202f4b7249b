import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { McpServer } from '../../server/server.ts'
import { reserveStdout } from '../../server/stdio/reserve-stdout.ts'
import { loadToolkitClass } from '../../server/toolkits/load-class.ts'
import { openToolkit } from '../../server/toolkits/load-toolkits.ts'
import { schemaOf } from '../../server/toolkits/toolkit-class.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { memberTexts } from '../schema/type-text.ts'
import { type Catalogue, catalogueOf } from '../serve/catalogue.ts'
import { readToolSpec, type ToolSpec } from '../serve/tool-spec.ts'
import { entry } from '../text/entry.ts'
import { writeJson } from '../text/json.ts'
import { oneLine } from '../text/printable.ts'
import { resourceEntry } from '../text/resource-entry.ts'
import { promptSignature, toolSignature } from '../text/signature.ts'
import { type Style, styleFor } from '../text/style.ts'

export const describe: CommandModule = {
  needsServer: false,
  notes: `Toolkits are named as for troupe serve. What one has depends on how it is
configured: with a configuration, even {}, it is made, and all it has is listed.`,
  examples: [
    'troupe describe FileSystem',
    `troupe describe 'FileSystem={"root": "docs", "prefix": "docs"}'`,
    'troupe describe some-package --json | jq .config  # JSON Schema',
  ],
  define: (command) => command.option('--json', 'write one JSON document to stdout'),
  async run({ io, operands, options }) {
    const [text = ''] = operands
    const spec = readToolSpec(text, 'describe')
    try {
      const found = await inSilence(() => findOut(spec, io.cwd))
      if (options.json) writeJson(io.out, { toolkit: spec.name, config: found.schema, ...found.catalogue })
      else {
        io.out.write(page(found, io))
        if (!found.catalogue) io.err.write(`${hint(spec.name, found.schema)}\n`)
      }
    } finally {
      io.endSoon?.()
    }
    return ExitCode.ok
  },
}

interface Found {
  readonly schema: JsonObject
  /** Undefined of one that was not made. */
  readonly catalogue: Catalogue | undefined
}

async function findOut({ name, config, place }: ToolSpec, folder: string): Promise<Found> {
  const type = await loadToolkitClass(name, folder, place)
  const schema = schemaOf(type, place)
  if (config === undefined) return { schema, catalogue: undefined }
  const toolkit = await openToolkit(type, config, folder, place)
  await using server = new McpServer({ name: 'described', toolkits: [toolkit] })
  return { schema, catalogue: await catalogueOf(server) }
}

/** How to see the rest. */
function hint(name: string, { required }: JsonObject): string {
  const keys = Array.isArray(required) ? required.map((key) => `${JSON.stringify(key)}: …`) : []
  return `Configured, it lists what it has: troupe describe '${oneLine(`${name}={${keys.join(', ')}}`)}'`
}

/** stdout is for what we say. */
async function inSilence<Value>(run: () => Promise<Value>): Promise<Value> {
  const stdout = reserveStdout()
  try {
    return await run()
  } finally {
    stdout.release()
  }
}

function page({ schema, catalogue }: Found, { out, env }: Io): string {
  const style = styleFor(out, env)
  const { tools = [], prompts = [], resources = [], resourceTemplates = [] } = catalogue ?? {}
  const entryOf = (head: string, description: unknown) => entry(head, description, out, style)
  const sections = [
    section('Config', configEntries(schema, entryOf), style, 'nothing to configure'),
    section(
      'Tools',
      tools.map((tool) => entryOf(toolSignature(tool, out.columns, style), tool.description)),
      style,
    ),
    section(
      'Prompts',
      prompts.map((prompt) => entryOf(promptSignature(prompt, out.columns, style), prompt.description)),
      style,
    ),
    section(
      'Resources',
      [
        ...resources.map((resource) => resourceEntry(resource, resource.uri, out, style)),
        ...resourceTemplates.map((template) => resourceEntry(template, template.uriTemplate, out, style)),
      ],
      style,
    ),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

function section(title: string, entries: readonly string[], style: Style, otherwise?: string): string {
  const lines = entries.length === 0 && otherwise !== undefined ? [otherwise] : entries
  return lines.length === 0 ? '' : [style.bold(`${title}:`), ...lines].join('\n')
}

/** The keys there are, each as a member of an object type. */
function configEntries(
  schema: JsonObject,
  entryOf: (head: string, description: unknown) => string,
): readonly string[] {
  const properties = Object.values(isObject(schema.properties) ? schema.properties : {})
  return memberTexts(schema, schema).map((text, index) => {
    const property = properties[index]
    return entryOf(oneLine(text), isObject(property) ? property.description : undefined)
  })
}
