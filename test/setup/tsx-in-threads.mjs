// tsx does not hook dynamic imports of worker threads by itself: without this a thread can load our TypeScript only by static import.
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  const { register } = await import('tsx/esm/api')
  register()
}
