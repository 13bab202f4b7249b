import { expect } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { type BareExchange, type BareServer, bare, type EventLines, type Route, said } from './bare.ts'
import { initialized } from './legacy.ts'

/** What comes of one message that was posted: written on the channel. */
export type ChannelRoute = (exchange: BareExchange, channel: EventLines) => unknown

export interface ChannelServer extends BareServer {
  /** The nth channel, once it is open. */
  channel(index?: number): Promise<EventLines>
}

export interface ChannelOptions {
  readonly endpoint?: string
  /** What a POST to the address of the channel itself is told; default 405. */
  readonly refusal?: number
  /** Instead of a channel. */
  readonly get?: Route
}

/** A server of HTTP+SSE (2024-11-05) without a library: a channel by GET, messages by POST to the endpoint it names. */
export async function channelServer(
  routes: { readonly [method: string]: ChannelRoute } = {},
  { endpoint = '/post?session=1', refusal = 405, get }: ChannelOptions = {},
): Promise<ChannelServer> {
  const channels: EventLines[] = []
  const own: { readonly [method: string]: ChannelRoute } = {
    initialize: replies(initialized('2024-11-05')),
    'tools/call': (exchange, channel) => reply(exchange, channel, said(`${exchange.tool} was called`)),
    ...routes,
  }
  const open = (exchange: BareExchange) =>
    channels.push(exchange.stream().raw(`event: endpoint\ndata: ${endpoint}\n\n`))
  const server = await bare({ GET: get ?? open }, (exchange) => {
    if (!exchange.url.startsWith('/post')) return exchange.send(refusal)
    exchange.send(202, 'Accepted')
    const channel = channels.at(-1) ?? expect.fail('a message before the channel')
    own[exchange.name]?.(exchange, channel)
  })
  const channel = async (index = 0): Promise<EventLines> => {
    await server.exchange('GET', index)
    return channels[index] ?? expect.fail('no channel')
  }
  return { ...server, channel }
}

export function reply(exchange: BareExchange, channel: EventLines, result: JsonObject): void {
  channel.message({ id: exchange.message.id, result })
}

export const replies =
  (result: JsonObject): ChannelRoute =>
  (exchange, channel) =>
    reply(exchange, channel, result)
