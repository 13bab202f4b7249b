import { suggestion } from '../../nearest.ts'
import { complaintAboutMessage } from '../../protocol/content-shape.ts'
import type { GetPromptResult } from '../../protocol/prompts.ts'
import { argumentForms, type GivenArguments, readGiven } from '../arguments/given.ts'
import { checkItems } from '../check-items.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { orNone } from '../list.ts'
import { withServer } from '../session.ts'
import { contentText } from '../text/content.ts'
import { writeJson } from '../text/json.ts'
import { oneLine } from '../text/printable.ts'
import { styleFor } from '../text/style.ts'
import { UsageError } from '../usage-error.ts'

export const prompt: CommandModule = {
  needsServer: true,
  notes: argumentForms('a string, as all arguments of prompts are', 'the same, as a JSON string'),
  examples: [
    'troupe prompt review language=perl -- node server.js',
    'troupe prompt review language=perl --json -- node server.js',
  ],
  async run(invocation) {
    const { io, operands, options } = invocation
    const [name = '', ...words] = operands
    const args = onlyTexts(await readGiven(words, io))
    return withServer(invocation, async ({ client, signal }) => {
      const list = await orNone(client.listPrompts({ signal }))
      const names = list.map((one) => oneLine(one.name))
      if (!list.some((one) => one.name === name))
        throw new UsageError(
          `The server has no prompt ${JSON.stringify(name)}. ${suggestion(name, names, 'troupe prompts')}`,
        )
      const result = await client.getPrompt(name, args, { signal })
      checkItems('prompts/get', 'messages', result.messages, complaintAboutMessage)
      if (options.json) writeJson(io.out, result)
      else writeMessages(result, io)
      return ExitCode.ok
    })
  },
}

function onlyTexts({ values, texts }: GivenArguments): { [key: string]: string } {
  const read = [...values].map(([key, value]): [string, string] => {
    if (typeof value !== 'string')
      throw new UsageError(
        `${key} takes a string, as every argument of a prompt, not ${JSON.stringify(value)}`,
      )
    return [key, value]
  })
  const written = [...texts].map(([key, [text = '', ...more]]): [string, string] => {
    if (more.length > 0) throw new UsageError(`${key} is given ${1 + more.length} times: it takes one value`)
    return [key, text]
  })
  return Object.fromEntries([...read, ...written])
}

function writeMessages({ messages }: GetPromptResult, { out, env }: Io): void {
  const style = styleFor(out, env)
  const shown = messages.map(
    ({ role, content }) =>
      `${style.bold(`${oneLine(role)}:`)}\n${contentText([content], out, style).trimEnd()}\n`,
  )
  out.write(shown.join('\n'))
}
