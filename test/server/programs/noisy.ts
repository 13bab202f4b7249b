import { McpServer, serveStdio } from '../../../src/server/index.ts'

console.log('noise: before')
const server = new McpServer({ name: 'noisy' })
server.tool('shout', { params: { text: { type: 'string', required: true } } }, ({ text }) => {
  console.log('noise:', text)
  return text.toUpperCase()
})
await serveStdio(server)
console.log('noise: after')
