import type { Transport } from '../src/transports/transport.ts'
import type { HookDesk } from './frames.ts'
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
      return new HttpTransport(spec.options, spec.asksHeaders ? { headers: () => desk.headers() } : {})
    }
  }
}
