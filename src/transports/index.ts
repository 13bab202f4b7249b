export {
  type Credentials,
  type CredentialsDesk,
  type CredentialsRequest,
  type HttpHooks,
  type HttpOptions,
  HttpTransport,
  type Refusal,
} from './http/http-transport.ts'
export { type StdioOptions, StdioTransport } from './stdio/stdio-transport.ts'
export type { Outbound, Transport, TransportEvents } from './transport.ts'
