/** The thread entry of tools: what a thread of their pool runs. */

import process from 'node:process'
import { hostTool } from './tool-host.ts'

// A thread's stdout is that of its process, which may be the protocol's alone.
process.stdout.write = process.stderr.write.bind(process.stderr)

export default hostTool
