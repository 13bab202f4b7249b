import { writeFile } from 'node:fs/promises'
import { machines } from '../machines/index.ts'
import { pictures, staleIn } from './pictures.ts'

// `npm run visualize` writes the pictures of all machines; with `-- --check` it only names the files that are out of date.
const folder = new URL('./', import.meta.url)
const files = await pictures(machines)
const stale = await staleIn(folder, files)

if (process.argv.includes('--check')) {
  for (const name of stale) console.error(`visualizations/${name} is out of date: run npm run visualize`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const name of stale) {
    await writeFile(new URL(name, folder), files.get(name) ?? '')
    console.log(`wrote visualizations/${name}`)
  }
}
