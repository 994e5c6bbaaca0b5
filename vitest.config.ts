import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/fixtures/**', '**/node_modules/**'],
    globalSetup: ['test/temporary-folder.ts'],
    // Whoever waits here is woken by what he waits for; the time is only for what never comes, on the slowest machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
