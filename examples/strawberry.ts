/** What models would like to have, who read tokens and no letters: `npx tsx examples/strawberry.ts` on stdio. */
import { McpServer, serveStdio } from 'mcp-troupe/server'

const server = new McpServer({
  name: 'strawberry',
  version: '1.0.0',
  instructions: 'Ask here before you say anything about the letters of a word.',
})
const word = { type: 'string', description: 'The word, as it is written', required: true } as const
const annotations = { readOnlyHint: true, idempotentHint: true }

server.tool(
  'count_letter',
  {
    description: 'How often a letter is in a word, in either case, and where',
    params: { word, letter: { type: 'string', description: 'One letter', required: true } },
    outputSchema: {
      type: 'object',
      properties: { count: { type: 'integer' }, positions: { type: 'array', items: { type: 'integer' } } },
      required: ['count', 'positions'],
    },
    annotations,
  },
  ({ word, letter }) => {
    const [wanted, ...more] = lettersOf(letter.toLowerCase())
    if (wanted === undefined || more.length > 0)
      throw new Error(`${JSON.stringify(letter)} is not one letter`)
    const positions = lettersOf(word.toLowerCase()).flatMap((each, index) =>
      each === wanted ? index + 1 : [],
    )
    return { structuredContent: { count: positions.length, positions } }
  },
)

server.tool('spell', { description: 'A word letter by letter', params: { word }, annotations }, ({ word }) =>
  lettersOf(word).join('-'),
)

await serveStdio(server)

/** As people count them: an accent is part of its letter. */
function lettersOf(text: string): readonly string[] {
  return [...new Intl.Segmenter().segment(text.normalize())].map(({ segment }) => segment)
}
