// The server the referee asks: both eras at one URL, on this package's public face alone. Its first line on stdout is the URL; it ends
// with the process that started it.

import process from 'node:process'
import { McpServer, MemoryEventStore, serveHttp } from 'mcp-troupe/server'
import { registerTaskTools } from './task-tools.mjs'

const server = new McpServer({
  name: 'conformance-fixture',
  version: '1.0.0',
  onLog: () => {},
  tasks: { pollIntervalMs: 100 },
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const text = (of) => ({ type: 'text', text: of })
const image = { type: 'image', data: png, mimeType: 'image/png' }

const string = { type: 'string' }
const numbered = (word) => [1, 2, 3].map((number) => `${word}${number}`)
const titled = numbered('value').map((value) => ({ const: value, title: value.toUpperCase() }))

const richSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } },
  },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

content()
talking()
asking()
resources()
prompts()
registerTaskTools(server)

const { url } = await serveHttp(server, { port: 0, legacy: true, eventStore: new MemoryEventStore() })
process.stdout.write(`${url}\n`)
process.stdin.resume().on('end', () => process.exit(0))

/** Tools that answer at once, each with its own kind of content. */
function content() {
  const answers = {
    test_simple_text: 'This is a simple text response for testing.',
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
    test_error_handling: {
      content: [text('This tool intentionally returns an error for testing')],
      isError: true,
    },
    test_streaming_elicitation: 'Nothing had to be asked',
  }
  for (const [name, answer] of Object.entries(answers))
    server.tool(name, { description: `Answers with ${name}` }, () => answer)
  server.tool(
    'json_schema_2020_12_tool',
    { description: 'A rich schema', inputSchema: richSchema },
    () => 'It fits',
  )
  const mirrored = { type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'Text' } } }
  server.tool(
    'test_x_mcp_header',
    { description: 'A mirrored argument', inputSchema: mirrored },
    ({ text = '' }) => text,
  )
}

/** Tools that say something before they answer. */
function talking() {
  server.tool('test_tool_with_progress', { description: 'Reports progress' }, (_, context) => {
    for (const progress of [0, 50, 100]) context.progress({ progress, total: 100 })
    return 'Done'
  })
  const log = (_, context) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      context.log('info', line)
    return 'Logged'
  }
  server.tool('test_tool_with_logging', { description: 'Logs three lines' }, log)
  server.tool('test_logging_tool', { description: 'Logs three lines' }, log)
  server.tool('test_reconnection', { description: 'Answers on another connection' }, (_, context) => {
    context.disconnect()
    return 'Reconnected'
  })
  server.tool('test_trigger_tool_change', { description: 'Changes the list of tools' }, () => {
    server.tool('test_passing', { description: 'Comes and goes' }, () => '')()
    return 'Changed'
  })
  server.tool('test_trigger_prompt_change', { description: 'Changes the list of prompts' }, () => {
    server.prompt('test_passing', { description: 'Comes and goes' }, () => '')()
    return 'Changed'
  })
}

/** Tools that ask their caller. */
function asking() {
  const required = { type: 'string', required: true }
  server.tool(
    'test_sampling',
    { description: 'Samples', params: { prompt: required } },
    async ({ prompt }, context) => {
      const { content } = await sample(context, prompt, 100)
      return `LLM response: ${content.text}`
    },
  )
  server.tool(
    'test_elicitation',
    { description: 'Elicits', params: { message: required } },
    async ({ message }, context) =>
      JSON.stringify(
        await elicit(context, message, { username: string, email: string }, {}, ['username', 'email']),
      ),
  )
  const defaults = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }
  const choices = {
    untitledSingle: { type: 'string', enum: numbered('option') },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: numbered('opt'), enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: numbered('option') } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }
  for (const [name, properties] of Object.entries({ sep1034_defaults: defaults, sep1330_enums: choices }))
    server.tool(`test_elicitation_${name}`, { description: 'Elicits a form' }, async (_, context) =>
      JSON.stringify(await elicit(context, 'Please fill in', properties, {}, [])),
    )
  server.tool('test_missing_capability', { description: 'Needs sampling' }, async (_, context) => {
    await sample(context, 'Anything', 10)
    return 'Sampled'
  })
  rounds()
}

function rounds() {
  const tool = (name, ask) =>
    server.tool(`test_input_required_result_${name}`, { description: `Asks: ${name}` }, (_, context) =>
      ask(context),
    )
  tool('elicitation', async (context) => {
    const { content } = await elicit(context, 'What is your name?', { name: string }, { key: 'user_name' })
    return `Hello, ${content?.name}!`
  })
  tool('sampling', async (context) => {
    await sample(context, 'What is the capital of France?', 100, { key: 'capital_question' })
    return 'Sampled'
  })
  tool('list_roots', async (context) => `${(await context.roots({ key: 'client_roots' })).length} roots`)
  const confirm = async (context) => {
    await elicit(context, 'Please confirm', { ok: { type: 'boolean' } }, { key: 'confirm' })
    return 'state-ok'
  }
  tool('request_state', confirm)
  tool('tampered_state', confirm)
  tool('multiple_inputs', async (context) => {
    await Promise.all([
      elicit(context, 'What is your name?', { name: string }, { key: 'user_name' }),
      sample(context, 'A greeting, please', 50, { key: 'greeting' }),
      context.roots({ key: 'client_roots' }),
    ])
    return 'All answered'
  })
  tool('multi_round', async (context) => {
    const { content: one } = await elicit(context, 'Your name?', { name: string }, { key: 'step1' })
    const { content: two } = await elicit(context, 'Your colour?', { color: string }, { key: 'step2' })
    return `${one?.name} likes ${two?.color}`
  })
  tool('capabilities', async (context) => {
    const { elicitation, sampling } = context.clientCapabilities
    if (elicitation) await elicit(context, 'What is your name?', { name: string })
    if (sampling) await sample(context, 'A greeting, please', 50)
    return 'Asked what may be asked'
  })
}

function resources() {
  const plain = { name: 'Static text', mimeType: 'text/plain' }
  server.resource('test://static-text', plain, () => 'This is the content of the static text resource.')
  const binary = { name: 'Static binary', mimeType: 'image/png' }
  server.resource('test://static-binary', binary, () => Buffer.from(png, 'base64'))
  server.resource('test://watched-resource', { name: 'Watched', mimeType: 'text/plain' }, () => 'Watched')
  const template = { name: 'Template', mimeType: 'application/json' }
  server.template('test://template/{id}/data', template, ({ variables: { id } }) =>
    JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  )
}

function prompts() {
  const user = (content) => ({ role: 'user', content })
  const simple = 'This is a simple prompt for testing.'
  server.prompt('test_simple_prompt', { description: 'Without arguments' }, () => simple)
  const two = [
    { name: 'arg1', description: 'First', required: true, complete: () => [] },
    { name: 'arg2', description: 'Second', required: true },
  ]
  server.prompt(
    'test_prompt_with_arguments',
    { description: 'With two arguments', arguments: two },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  )
  const uri = [{ name: 'resourceUri', description: 'What to embed', required: true }]
  server.prompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds', arguments: uri },
    ({ resourceUri }) => [
      user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.')),
    ],
  )
  server.prompt('test_prompt_with_image', { description: 'With an image' }, () => [
    user(image),
    user(text('Please analyze the image above.')),
  ])
  server.prompt('test_input_required_result_prompt', { description: 'Asks first' }, async (_, context) => {
    const { content } = await elicit(context, 'What context?', { context: string }, { key: 'user_context' })
    return `In the context of ${content?.context}`
  })
}

function embedded(uri, mimeType, of) {
  return { type: 'resource', resource: { uri, mimeType, text: of } }
}

function elicit(context, message, properties, options = {}, required = Object.keys(properties)) {
  return context.elicit({ message, requestedSchema: { type: 'object', properties, required } }, options)
}

function sample(context, prompt, maxTokens, options = {}) {
  return context.sample({ messages: [{ role: 'user', content: text(prompt) }], maxTokens }, options)
}
