import { type McpError, UnsupportedVersionError } from '../../errors.ts'
import { advise } from '../advice.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import { errorDocument } from '../failure.ts'
import { withServer } from '../session.ts'
import { writeJson } from '../text/json.ts'
import { type Findings, probeText } from '../text/probe-text.ts'
import { styleFor } from '../text/style.ts'

export const probe: CommandModule = {
  needsServer: true,
  notes: `A server speaks the modern protocol (no handshake, the version stands in every
request) or the legacy one (initialize first). What it makes of the first
question tells which. The time of that answer includes the server's start.`,
  examples: [
    'troupe probe -- node server.js',
    'troupe probe --json -- node server.js | jq -r .verdict  # modern or legacy',
    'troupe probe --era legacy -- node server.js             # the handshake only',
  ],
  async run(invocation) {
    const { io, options } = invocation
    return withServer(invocation, async ({ client }) => {
      const report = await client.probeReport()
      const { capabilities, instructions } = client.state.context
      const findings: Findings = { ...report, capabilities, instructions }
      if (options.json) writeJson(io.out, document(findings))
      else io.out.write(probeText(findings, io.out, styleFor(io.out, io.env)))
      if (report.failure) throw shown(report.failure)
      return ExitCode.ok
    })
  },
}

function document({ failure, ...findings }: Findings): object {
  return { ...findings, ...(failure && { failure: errorDocument(failure) }) }
}

/** The general advice is to look at the evidence, which was just printed. */
function shown(failure: McpError): McpError {
  if (failure instanceof UnsupportedVersionError) advise(failure, [])
  return failure
}
