import { fromErrorData } from '../src/error-data.ts'
import type { CredentialsDesk, HttpHooks } from '../src/transports/http/http-transport.ts'
import type { Transport } from '../src/transports/transport.ts'
import type { DeskAnswer, HookDesk } from './frames.ts'
import type { TransportSpec } from './link.ts'

/** The wire of a spec. Each kind is loaded when it is first wanted: its libraries are most of a cold start. */
export async function createTransport(spec: TransportSpec, desk: HookDesk): Promise<Transport> {
  switch (spec.kind) {
    case 'stdio': {
      const { StdioTransport } = await import('../src/transports/stdio/stdio-transport.ts')
      return new StdioTransport(spec.options)
    }
    case 'http': {
      const { HttpTransport } = await import('../src/transports/http/http-transport.ts')
      const hooks: HttpHooks = {
        ...(spec.asksHeaders && { headers: () => desk.headers() }),
        ...(spec.asksCredentials && { credentials: credentialsDesk(desk) }),
      }
      return new HttpTransport(spec.options, hooks)
    }
  }
}

function credentialsDesk(desk: HookDesk): CredentialsDesk {
  return {
    credentials: async (request) => opened(await desk.credentials(request)),
    refused: async (refusal) => opened(await desk.refused(refusal)),
  }
}

function opened<Value>(answer: DeskAnswer<Value>): Value {
  if (answer.kind === 'failed') throw fromErrorData(answer.error)
  return answer.value
}
