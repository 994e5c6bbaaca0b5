import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/fixtures/**', '**/node_modules/**'],
    testTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
