// The client the referee starts: `node client.mjs <server-url>`, on this package's public face alone. The scenario comes by the
// environment; the era is found out by probing, as anyone's client would. Ends by itself once the client is closed.

import { McpClient } from 'mcp-troupe'

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const watchdogMs = 25_000

const scenarios = {
  initialize: (mcp) => mcp.serverInfo(),
  tools_call: (mcp) => listAndCall(mcp, { add_numbers: { a: 5, b: 3 } }),
  'elicitation-sep1034-client-defaults': (mcp) => listAndCall(mcp, { test_client_elicitation_defaults: {} }),
  'sse-retry': (mcp) => listAndCall(mcp, { test_reconnection: {} }),
  'request-metadata': (mcp) => mcp.listTools(),
  'sep-2322-client-request-state': (mcp) =>
    listAndCall(mcp, {
      test_mrtr_echo_state: {},
      test_mrtr_no_state: {},
      test_mrtr_unrelated: {},
      test_mrtr_no_result_type: {},
    }),
  'http-standard-headers': useEverything,
  'http-custom-headers': (mcp) =>
    listAndCall(mcp, Object.fromEntries(context.toolCalls.map((call) => [call.name, call.arguments]))),
  'http-invalid-tool-headers': callEveryTool,
  'json-schema-ref-no-deref': (mcp) => mcp.listTools(),
  'json-schema-2020-12-preservation': echoSchema,
}

setTimeout(() => fail(`still running after ${watchdogMs} ms`), watchdogMs).unref()

const steps = scenarios[scenario] ?? fail(`no steps for scenario ${scenario}`)
const mcp = McpClient.connectHttp({
  url: process.argv.at(-1),
  hosting: 'inline',
  clientName: 'mcp-troupe-conformance',
  // The referee starts dozens of clients and servers at once: slow is not yet silent.
  probeTimeoutMs: 20_000,
  onElicit: ({ params }) => ({ action: 'accept', content: answersTo(params.requestedSchema) }),
  onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'none' }),
  onListRoots: () => ({ roots: [] }),
  onWarn: (message) => process.stderr.write(`warning: ${message}\n`),
})
try {
  await steps(mcp)
} catch (error) {
  fail(error.stack)
} finally {
  await mcp.close()
}

async function listAndCall(mcp, calls) {
  await mcp.listTools()
  for (const [name, args] of Object.entries(calls)) await call(mcp, name, args)
}

async function callEveryTool(mcp) {
  for (const { name } of await mcp.listTools()) await call(mcp, name, { region: 'us-west1' })
}

async function useEverything(mcp) {
  for (const { name } of await mcp.listTools()) await call(mcp, name, {})
  for (const { uri } of await mcp.listResources()) await mcp.readResource(uri)
  for (const { name } of await mcp.listPrompts()) await mcp.getPrompt(name)
}

async function echoSchema(mcp) {
  const tool = (await mcp.listTools()).find(({ name }) => name === 'json_schema_2020_12_tool')
  await call(mcp, 'json_schema_echo', { schema: tool?.inputSchema })
}

async function call(mcp, name, args) {
  const { isError, content } = await mcp.callTool(name, args)
  if (isError) throw new Error(`${name} failed: ${JSON.stringify(content)}`)
}

/** Agrees to what has no default; a field that has one is left out, for the client to fill in. */
function answersTo({ properties = {} }) {
  const open = Object.entries(properties).filter(([, schema]) => schema.default === undefined)
  return Object.fromEntries(open.map(([field]) => [field, true]))
}

function fail(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
