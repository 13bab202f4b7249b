import process from 'node:process'
import { serveStdio } from '../../../src/server/index.ts'
import { kit } from '../kit.ts'

await serveStdio(kit())
process.stdout.write('x'.repeat(1_000_000))
process.exitCode = 7
