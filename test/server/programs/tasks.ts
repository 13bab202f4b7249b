import { serveStdio } from '../../../src/server/index.ts'
import { working } from '../tasks/working.ts'

await serveStdio(working({ tasks: { pollIntervalMs: 20 } }))
