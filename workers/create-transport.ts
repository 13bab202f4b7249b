import type { Transport } from '../src/transports/transport.ts'
import type { TransportSpec } from './link.ts'

/** The wire of a spec. Each kind is loaded when it is first wanted: its libraries are most of a cold start. */
export async function createTransport(spec: TransportSpec): Promise<Transport> {
  switch (spec.kind) {
    case 'stdio': {
      const { StdioTransport } = await import('../src/transports/stdio/stdio-transport.ts')
      return new StdioTransport(spec.options)
    }
  }
}
