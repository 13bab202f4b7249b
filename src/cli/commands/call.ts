import { complaintAboutBlock } from '../../protocol/content-shape.ts'
import type { CallToolResult } from '../../protocol/tools.ts'
import type { OnAsk } from '../../providers/policy/ask.ts'
import { argumentForms, readGiven } from '../arguments/given.ts'
import { typeArguments } from '../arguments/typed.ts'
import { checkItems } from '../check-items.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import type { Sink } from '../io.ts'
import { personOf } from '../person-of.ts'
import type { CallGuard } from '../policy/call-guard.ts'
import { type Session, withServer } from '../session.ts'
import { contentText, textFor } from '../text/content.ts'
import { writeJson } from '../text/json.ts'
import { layoutJson } from '../text/layout-json.ts'
import { oneLine } from '../text/printable.ts'
import { type Style, styleFor } from '../text/style.ts'
import { findTool } from './tools.ts'

export const call: CommandModule = {
  needsServer: true,
  notes: argumentForms('typed as the schema says; again for the next item of an array'),
  examples: [
    'troupe call echo text=hi -- node server.js',
    'troupe call sum numbers=1 numbers=2 exact=true -- node server.js',
    `troupe call save note:='{"tags":["a"]}' -- node server.js`,
    'troupe call save @note.json --json -- node server.js',
    'troupe call deploy --ask -- node server.js',
  ],
  define: (command) =>
    command.option('--ask', 'ask you, at this terminal, what rules leave open and what servers want to know'),
  async run(outside) {
    const { operands, options } = outside
    const [name = '', ...words] = operands
    const given = await readGiven(words, outside.io)
    const { invocation, onAsk } = await personOf(outside, () => nameOfServer(outside))
    const { io } = invocation
    await using guard = await openGuard(invocation, onAsk)
    const call = async ({ client, commentary, signal }: Session) => {
      const tools = await client.listTools({ signal })
      const tool = findTool(name, tools)
      const args = typeArguments(given, tool.inputSchema ?? {})
      await guard?.permit(tool, args, tools, signal)
      const result = await client.callTool(name, args, {
        signal,
        onProgress: (report) => commentary.progress(report),
      })
      commentary.end()
      checkItems('tools/call', 'content', result.content, complaintAboutBlock)
      if (options.json) writeJson(io.out, result)
      else if (result.isError) writeError(name, result, invocation)
      else {
        const text = resultText(result, io.out, styleFor(io.out, io.env))
        if (text === '') commentary.remark(`${name} answered with nothing.`)
        else writeLines(io.out, text)
      }
      return result.isError ? ExitCode.toolFailed : ExitCode.ok
    }
    return await withServer(invocation, call, guard?.hooks)
  },
}

/** Whoever wrote no configuration set no rules. */
async function openGuard(invocation: Invocation, onAsk: OnAsk | undefined): Promise<CallGuard | undefined> {
  if (!invocation.config && !onAsk) return undefined
  const { CallGuard } = await import('../policy/call-guard.ts')
  return CallGuard.open(invocation, onAsk)
}

function nameOfServer({ server, options: { url = '' } }: Invocation): string {
  if (server) return oneLine(server.name)
  return URL.canParse(url) ? new URL(url).host : 'the server'
}

/** On stderr: whoever catches the output of a call wants its answer, not its complaint. */
function writeError(name: string, result: CallToolResult, { io: { err, env } }: Invocation): void {
  const style = styleFor(err, env)
  err.write(`${style.red('error:')} the tool ${oneLine(name)} reports a failure\n`)
  writeLines(err, resultText(result, err, style))
}

function resultText(result: CallToolResult, sink: Sink, style: Style): string {
  const { content, structuredContent } = result
  const hasText = content.some(({ type }) => type === 'text')
  const structured =
    structuredContent === undefined || hasText
      ? []
      : [textFor(sink, layoutJson(structuredContent, sink.columns))]
  const blocks = content.length > 0 ? [contentText(content, sink, style)] : []
  return [...blocks, ...structured].join('\n')
}

function writeLines(sink: Sink, text: string): void {
  if (text !== '') sink.write(text.endsWith('\n') ? text : `${text}\n`)
}
