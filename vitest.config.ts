import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Inherited by the threads of the pool, which run the sources too.
    execArgv: ['--import', 'tsx', '--import', new URL('test/setup/tsx-in-threads.mjs', import.meta.url).href],
    testTimeout: 30_000,
  },
})
