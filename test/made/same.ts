import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** As `toEqual`, and at once for what is large and the same: vitest looks at each byte of a buffer as at a value of its own. */
export function expectSame(actual: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toEqual(expected)
}
