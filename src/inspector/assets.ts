import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { ConfigError } from '../errors.ts'

export interface Asset {
  readonly type: string
  readonly body: Buffer
}

export interface Assets {
  /** By the path they are asked for; nothing else can be. */
  readonly files: ReadonlyMap<string, Asset>
  /** The machines that have a drawing. */
  readonly machines: readonly string[]
}

/** The page and the drawings, read once: what is not in the table does not exist. */
export async function loadAssets(): Promise<Assets> {
  const folder = builtFolder()
  const names = await readdir(folder)
  const files = new Map<string, Asset>()
  for (const name of names) {
    const type = types[extname(name)]
    if (type) files.set(pathOf(name), { type, body: await readFile(new URL(name, folder)) })
  }
  const machines = names.filter((name) => extname(name) === '.svg').map((name) => basename(name, '.svg'))
  return { files, machines }
}

/** Where the build put the page. It is looked for upwards: a bundle of this file may lie anywhere in the package. */
function builtFolder(): URL {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const built = new URL('dist/visualizations/', folder)
    if (existsSync(new URL('page.html', built))) return built
    if (folder.href === new URL('../', folder).href) throw notBuilt()
  }
}

function notBuilt(): ConfigError {
  const reason = 'its page is missing: build the package (npm run build)'
  return new ConfigError({ path: ['inspector'], reason })
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

function pathOf(name: string): string {
  if (name === 'page.html') return ''
  return name.endsWith('.svg') || name.endsWith('.json') ? `machines/${name}` : name
}
