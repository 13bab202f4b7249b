import { transform } from 'esbuild'
import { defineConfig } from 'vitest/config'

/** The language's decorators, which Vite leaves as they are. */
const decorators = {
  name: 'decorators',
  enforce: 'pre',
  transform: (code: string, id: string) =>
    /^\s*@\w+\(/m.test(code) && id.endsWith('.ts')
      ? transform(code, { loader: 'ts', target: 'node20', sourcefile: id, sourcemap: true })
      : undefined,
} as const

export default defineConfig({
  plugins: [decorators],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup/no-warnings.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Inherited by the threads of the pool, which run the sources too.
    execArgv: ['--import', 'tsx', '--import', new URL('test/setup/tsx-in-threads.mjs', import.meta.url).href],
    // Real processes start slowly on a busy machine; nothing waits this long when all is well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
