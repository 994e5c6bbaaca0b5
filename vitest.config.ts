import { defineConfig } from 'vitest/config'
import LongestFirst from './test/longest-first.ts'

const exclude = ['**/fixtures/**', '**/node_modules/**']

/** What the projects share. docs/testing.md says which test belongs to which. */
const shared = {
  globalSetup: ['test/temporary-folder.ts'],
  // Whoever waits here is woken by what he waits for; the time is only for what never comes, on the slowest machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  // A process that has run hundreds of files takes its time to end on a busy machine.
  teardownTimeout: 60_000,
  pool: 'forks' as const,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, '**/*.{long,process,browser}.test.ts'],
          setupFiles: ['test/leaves-nothing.ts', 'test/starts-nothing.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'long',
          isolate: false,
          include: ['test/**/*.long.test.ts'],
          exclude,
          setupFiles: ['test/leaves-nothing.ts', 'test/starts-nothing.ts'],
        },
      },
      // Without isolation: loading the engine takes 0.9 s of processor time a file.
      {
        test: {
          ...shared,
          name: 'process',
          isolate: false,
          include: ['test/**/*.process.test.ts'],
          exclude,
          setupFiles: ['test/leaves-nothing.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          globalSetup: [...shared.globalSetup, 'test/browser/unpack.ts'],
          include: ['test/**/*.browser.test.ts'],
          exclude,
        },
      },
    ],
  },
})
