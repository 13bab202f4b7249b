import { serveStdio } from '../../../src/server/index.ts'
import { kit } from '../kit.ts'

await serveStdio(kit({ onLog: undefined }))
