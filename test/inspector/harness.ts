import { request as send } from 'node:http'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { createActor, createMachine, type InspectionEvent } from 'xstate'
import type { InspectorFrame } from '../../src/inspector/frames.ts'
import { type Inspector, type InspectorOptions, serveInspector } from '../../src/inspector/index.ts'

export const modern = fileURLToPath(new URL('../fixtures/servers/modern.mjs', import.meta.url))
/** Starts faster, being without a library. */
export const bareModern = fileURLToPath(new URL('../fixtures/servers/bare-modern.mjs', import.meta.url))

export async function inspect(options: InspectorOptions = {}): Promise<Inspector> {
  const inspector = await serveInspector(options)
  onTestFinished(() => inspector.close())
  return inspector
}

export interface Answer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** A request as it is written, which `fetch` would tidy up. */
export function ask(
  url: string,
  {
    path,
    method = 'GET',
    headers = {},
  }: { path?: string; method?: string; headers?: NodeJS.Dict<string> } = {},
): Promise<Answer> {
  const { hostname, port, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = send({ hostname, port, path: path ?? pathname, method, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        body += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Reads frames as the page does; a reader that is not asked reads nothing. */
export async function look(inspector: Inspector) {
  const abort = new AbortController()
  const response = await fetch(new URL('events', inspector.url), { signal: abort.signal })
  const frames = framesOf(response)
  onTestFinished(() => abort.abort())
  return {
    next: async (): Promise<InspectorFrame> => (await frames.next()).value,
    /** The first that is as wanted; what comes before is passed over. */
    until: async <Frame extends InspectorFrame>(
      isIt: (frame: InspectorFrame) => frame is Frame,
    ): Promise<Frame> => {
      for (;;) {
        const { value } = await frames.next()
        if (isIt(value)) return value
      }
    },
    leave: () => abort.abort(),
  }
}

async function* framesOf(response: Response): AsyncGenerator<InspectorFrame, never> {
  let rest = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = `${rest}${part}`.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) yield JSON.parse(event.replace(/^data: /, ''))
  }
  throw new Error('the stream ended')
}

export function is<Kind extends InspectorFrame['kind']>(kind: Kind) {
  return (frame: InspectorFrame): frame is Extract<InspectorFrame, { kind: Kind }> => frame.kind === kind
}

/** A machine of an application, on the host itself. */
export function lamp(inspect: { next?(event: InspectionEvent): void }) {
  const machine = createMachine({
    id: 'lamp',
    initial: 'off',
    states: { off: { on: { toggle: 'on' } }, on: { on: { toggle: 'off' } } },
  })
  const actor = createActor(machine, { inspect }).start()
  onTestFinished(() => void actor.stop())
  return actor
}
