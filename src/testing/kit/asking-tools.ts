import type { Registrar } from '../../server/registration/registrar.ts'

/** Tools that ask their caller something before they answer. */
export function askingTools(registrar: Registrar): void {
  registrar.tool('elicit', { description: 'Asks for a name' }, async (_, context) => {
    const { action, content } = await context.elicit(form('name', 'string'))
    return action === 'accept' ? `Hello, ${content?.name}!` : `no name: ${action}`
  })
  registrar.tool('sample', { description: 'Asks a model for a word' }, async (_, context) => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'One word, please' } }]
    const { model, content } = await context.sample({ messages, maxTokens: 10 })
    return JSON.stringify({ model, content })
  })
  registrar.tool('roots', { description: 'Asks for the roots' }, async (_, context) =>
    JSON.stringify((await context.roots()).map(({ uri }) => uri)),
  )
  registrar.tool('interview', { description: 'Asks for a name, then for an age' }, async (_, context) => {
    const { content: first } = await context.elicit(form('name', 'string'))
    const { content: second } = await context.elicit(form('age', 'integer'))
    return `${first?.name} is ${second?.age}`
  })
}

function form(field: string, type: string) {
  return {
    message: `What ${field}?`,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  }
}
