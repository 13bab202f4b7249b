export type { FakeAnswer, FakeError, FakeReply, FakeRequest } from './fake-answers.ts'
export type { FakeLegacyServer, FakeModernServer } from './fake-servers.ts'
export { FakeTransport, type FakeTransportOptions } from './fake-transport.ts'
export { TestClock } from './test-clock.ts'
