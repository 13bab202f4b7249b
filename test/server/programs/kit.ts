import process from 'node:process'
import { serveStdio } from '../../../src/server/index.ts'
import { kit } from '../kit.ts'

const pageSize = process.argv[2] === undefined ? undefined : Number(process.argv[2])
await serveStdio(kit({ onLog: undefined, pageSize }))
