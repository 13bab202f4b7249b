// The client the referee starts: `node client.mjs <server-url>`, on this package's public face alone. The scenario comes by the
// environment; the era is found out by probing, as anyone's client would. Ends by itself once the client is closed.

import { McpClient } from 'mcp-troupe'

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
// Less than the referee gives to all of them at once; one by itself it ends before.
const watchdogMs = 55_000

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
const authScenario = /^auth\//.test(scenario) ? (mcp) => listAndCall(mcp, { 'test-tool': {} }) : undefined

setTimeout(() => fail(`still running after ${watchdogMs} ms`), watchdogMs).unref()

const steps = scenarios[scenario] ?? authScenario ?? fail(`no steps for scenario ${scenario}`)
const mcp = McpClient.connectHttp({
  url: process.argv.at(-1),
  hosting: 'inline',
  ...(authScenario && { auth: authFor(scenario, context) }),
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

/** A person who consents at once; what else a scenario gives goes where an application would put it. */
function authFor(scenario, context) {
  const { client_id: clientId, client_secret: clientSecret, issuer } = context
  const person = {
    redirectUri: 'http://localhost:3000/callback',
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    onRedirect: async (url, { signal }) => {
      const response = await fetch(url, { redirect: 'manual', signal })
      return response.headers.get('location') ?? `no redirect: ${response.status}`
    },
  }
  switch (scenario) {
    case 'auth/pre-registration':
      return { ...person, clientMetadataUrl: undefined, clientId, clientSecret, issuer }
    case 'auth/client-credentials-basic':
      return { grant: { type: 'client_credentials' }, clientId, clientSecret }
    case 'auth/client-credentials-jwt': {
      const privateKey = { key: context.private_key_pem, alg: context.signing_algorithm }
      return { grant: { type: 'client_credentials' }, clientId, privateKey }
    }
    case 'auth/enterprise-managed-authorization': {
      const { idp_issuer: issuer, idp_client_id, idp_id_token: subjectToken } = context
      const idp = { issuer, clientId: idp_client_id }
      return { grant: { type: 'enterprise', idp, subjectToken }, clientId, clientSecret }
    }
    case 'auth/wif-jwt-bearer':
      return { grant: { type: 'jwt_bearer', assertion: () => context.valid_jwt }, clientId }
    default:
      return person
  }
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
