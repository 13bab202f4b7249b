import { fixture, type Server } from './harness.ts'
import type { Heard } from './heard.ts'

/** One message as a script writes it; `jsonrpc` is added, "$id" and "$token" are filled in. */
export type Line = Readonly<Record<string, unknown>>
export type Scene = readonly (Line | readonly Line[])[]

/** By method, the scenes of its requests in their order. */
export type Script = Readonly<Record<string, readonly Scene[]>>

/** A server that answers the n-th request of a method with the n-th scene of its list, and with the last one from then on. */
export function scripted(script: Script): Server {
  return fixture('scripted', JSON.stringify(script))
}

export const result = (body: Line): Line => ({ id: '$id', result: body })

export const error = (code: number, message: string, data?: unknown): Line => ({
  id: '$id',
  error: { code, message, data },
})

export const notification = (method: string, params: Line = {}): Line => ({ method, params })

export const said = (text: string): Line => result({ content: [{ type: 'text', text }] })

export const tools = (...listed: readonly Line[]): Line =>
  result({ tools: listed.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) })

/** A server of the legacy era: the handshake, and then the script. */
export function legacyScripted(version: string, script: Script, capabilities: Line = { tools: {} }): Server {
  const serverInfo = { name: 'scripted', version: '1.0.0' }
  return scripted({
    'server/discover': [[error(-32601, 'no such method')]],
    initialize: [[result({ protocolVersion: version, capabilities, serverInfo })]],
    ...script,
  })
}

/** Everything a scripted server read; it tells at its end. */
export async function readBy(stderr: Heard<string>): Promise<readonly { method?: string; params?: Line }[]> {
  const line = await stderr.first((said) => said.startsWith('read '))
  return JSON.parse(line.slice('read '.length))
}
