import { spawn } from 'node:child_process'

/** Hands a URL to what the system opens URLs with, without a shell. Rejects when there is no such thing. */
export function openUrl(url: string): Promise<void> {
  const [command = '', ...args] = openers[process.platform] ?? ['xdg-open']
  const opener = spawn(command, [...args, url], { detached: true, stdio: 'ignore' })
  opener.unref()
  return new Promise((resolve, reject) => {
    opener.once('spawn', resolve).once('error', reject)
  })
}

const openers: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
