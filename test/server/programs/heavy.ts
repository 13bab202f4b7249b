import { serveStdio } from '../../../src/server/index.ts'
import { heavy } from '../pool/heavy.ts'

await serveStdio(heavy())
