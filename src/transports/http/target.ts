import { describePath } from './hide-secrets.ts'

/** How a URL is shown to people and in logs: its origin and, as `describePath` shows it, its path. Never throws. */
export function describeTarget(url: string): string {
  if (!URL.canParse(url)) return 'no URL'
  const { origin, protocol, pathname } = new URL(url)
  if (origin !== 'null') return origin + describePath(pathname)
  // Any other scheme may be a user's name: `user:password@host`.
  return protocol === 'unix:' ? protocol + describePath(pathname) : 'no URL'
}
