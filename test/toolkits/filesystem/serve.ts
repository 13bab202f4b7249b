import { McpServer } from '../../../src/server/index.ts'
import { FileSystem, type FileSystemConfig } from '../../../src/toolkits/index.ts'
import { CheckedDirectory } from '../../../src/toolkits/root/checked-directory.ts'
import { HeldDirectory } from '../../../src/toolkits/root/held-directory.ts'

/** How directories can be opened. */
export const ways = [
  ['by descriptors', HeldDirectory.open],
  ['by checks', CheckedDirectory.open],
] as const

/** A server that has the pack and nothing else. */
export function serve(
  config: FileSystemConfig,
  open?: ConstructorParameters<typeof FileSystem>[1],
): McpServer {
  const server = new McpServer({ name: 'files', onLog: () => {} })
  // On a busy machine a thread takes its time to start.
  server.plug(new FileSystem({ grepTimeoutMs: 60_000, ...config }, open))
  return server
}
