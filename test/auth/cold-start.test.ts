import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'

it.each(['src/client/index.ts', 'src/index.ts', 'src/auth/index.ts'])(
  'to import %s loads nothing that only a sign-in needs',
  async (module) => {
    const scripts = await loadedBy(module)
    expect(scripts).toContainEqual(expect.stringContaining(module))
    expect(scripts.filter((url) => /node_modules\/(oauth4webapi|jose|undici|@napi-rs)\//.test(url))).toEqual(
      [],
    )
  },
)

/** Every script that a process ran, as its coverage counts them. */
async function loadedBy(module: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loaded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const code = `await import(${JSON.stringify(new URL(`../../${module}`, import.meta.url).href)})`
  const env = { NODE_V8_COVERAGE: folder }
  await execa(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { env })
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => JSON.parse(text).result.map(({ url }: { url: string }) => url))
}
