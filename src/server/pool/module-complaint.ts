import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is wrong with the URL of a handler's module as far as it can be seen without running it. */
export function moduleComplaint(module: URL): string | undefined {
  if (module.protocol !== 'file:') return `must be the URL of a file, not of ${module.protocol}`
  try {
    if (statSync(fileURLToPath(module)).isFile()) return undefined
  } catch {
    // Not there, or no path of this system.
  }
  return `is in no file: ${module.href}`
}
