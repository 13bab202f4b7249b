import { writeFile } from 'node:fs/promises'
import type { ResourceContents } from '../../protocol/content.ts'
import { complaintAboutContents } from '../../protocol/content-shape.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { checkItems } from '../check-items.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { withServer } from '../session.ts'
import { bytes } from '../text/bytes.ts'
import { textFor } from '../text/content.ts'
import { writeJson } from '../text/json.ts'
import { oneLine } from '../text/printable.ts'
import { UsageError } from '../usage-error.ts'

export const read: CommandModule = {
  needsServer: true,
  examples: [
    'troupe read file:///readme.md -- node server.js',
    'troupe read file:///logo.png --output logo.png -- node server.js',
    'troupe read file:///data.csv -- node server.js | sort  # byte for byte',
  ],
  define: (command) =>
    command.addOption(
      command.createOption('--output <file>', 'write it to a file instead of stdout').conflicts('json'),
    ),
  async run(invocation) {
    const { io, operands, options } = invocation
    const [uri = ''] = operands
    return withServer(invocation, async ({ client, commentary, signal }) => {
      const result = await client.readResource(uri, { signal })
      checkItems('resources/read', 'contents', result.contents, complaintAboutContents)
      if (options.json) writeJson(io.out, result)
      else {
        const [contents, ...more] = result.contents
        if (options.output !== undefined && more.length > 0)
          throw new UsageError(`${uri} has ${1 + more.length} parts, and --output takes one: use --json`)
        if (!contents) commentary.remark(`${uri} is empty.`)
        else if (options.output === undefined) write(uri, [contents, ...more], io)
        else commentary.remark(await save(contents, options.output))
      }
      return ExitCode.ok
    })
  },
}

function write(uri: string, contents: readonly ResourceContents[], { out }: Io): void {
  const binary = contents.find(isBinary)
  if (binary && (out.isTerminal || contents.length > 1)) throw refused(uri, binary, contents.length)
  for (const part of contents) out.write(binary ? bodyOf(part) : textFor(out, part.text ?? ''))
  // The prompt should not stand at the end of the last line.
  if (out.isTerminal && !contents.at(-1)?.text?.endsWith('\n')) out.write('\n')
}

function refused(uri: string, binary: ResourceContents, parts: number): UsageError {
  const facts = [oneLine(binary.mimeType), bytes(bodyOf(binary).length)].filter(Boolean).join(', ')
  const instead =
    parts > 1 ? `has ${parts} parts: use --json` : 'is not printed to a terminal: use --output <file>'
  return new UsageError(`${uri} is binary (${facts}) and ${instead}`)
}

async function save(contents: ResourceContents, file: string): Promise<string> {
  const body = bodyOf(contents)
  try {
    await writeFile(file, body)
  } catch (cause) {
    throw new UsageError(`Cannot write ${file}: ${thrownMessage(cause)}`, { cause })
  }
  return `${bytes(body.length)} written to ${file}`
}

function bodyOf({ text, blob }: ResourceContents): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : Buffer.from(blob ?? '', 'base64')
}

function isBinary({ text }: ResourceContents): boolean {
  return typeof text !== 'string'
}
