import { writeFile } from 'node:fs/promises'
import { FileTokenStore } from '../../../src/auth/store/file-token-store.ts'

/** A process that holds a key. `hold`: says so, and never lets go. `count`: adds one to a number, many times, which is lost where two do so at once. */
const [work, folder = '', key = ''] = process.argv.slice(2)
const store = new FileTokenStore(folder)

if (work === 'hold')
  await store.locked(key, async () => {
    process.stdout.write('held\n')
    await new Promise(() => setInterval(() => {}, 1_000))
  })
else
  for (let turn = 0; turn < 50; turn++)
    await store.locked(key, async () => {
      const count = Number((await store.read(key)) ?? 0)
      await writeFile(`${folder}/scratch-${process.pid}`, String(turn))
      await store.write(key, String(count + 1))
    })
