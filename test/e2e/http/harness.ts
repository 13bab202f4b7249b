import { onTestFinished } from 'vitest'
import { type HttpClientOptions, McpClient } from '../../../src/index.ts'
import { Heard } from '../heard.ts'

export interface HttpSession {
  readonly client: McpClient
  readonly warnings: Heard<string>
}

/** What a client is connected to here: it knows when nobody is connected to it any more. */
export interface Listening {
  idle(): Promise<void>
}

/** A client that is closed when the test ends. Then the server must see that all of its connections are closed. */
export function connect(server: Listening, options: HttpClientOptions): HttpSession {
  const warnings = new Heard<string>()
  // On a busy machine slow is not yet silent; tests of silence say how long it lasts.
  const client = McpClient.connectHttp({ probeTimeoutMs: 30_000, onWarn: warnings.hear, ...options })
  onTestFinished(async () => {
    await client.close()
    await server.idle()
  })
  return { client, warnings }
}
