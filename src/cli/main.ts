#!/usr/bin/env node
import { processIo } from './process-io.ts'
import { run } from './run.ts'

// Not `process.exit`: what was written to a pipe may still be on its way.
run(process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode
})
