import { FileTokenStore } from '../../src/auth/store/file-token-store.ts'
import { McpClient } from '../../src/index.ts'

/** A process that asks a server with a sign-in somebody else made: says when it begins, and then what it was answered. */
const [url = '', folder = ''] = process.argv.slice(2)
process.stdout.write('begins\n')
const client = McpClient.connectHttp({ url, auth: { store: new FileTokenStore(folder) }, hosting: 'inline' })
const { content } = await client.callTool('count')
process.stdout.write(JSON.stringify(content))
await client.close()
