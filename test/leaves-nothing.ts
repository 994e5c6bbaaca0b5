import { afterAll, vi } from 'vitest'

// Loaded before each file of the projects whose files share a process: a clock, an environment variable or a function that a file has put something
// in the place of is itself again for the next.

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
