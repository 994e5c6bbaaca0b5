import { expect, it } from 'vitest'
import { findPrefix, makeToken } from '../../../engine/assure/auditors/tokens.ts'

it('no prefix of a new token begins with a dash, which a command line would read as an option', () => {
  const prefixes = Array.from({ length: 2000 }, () => findPrefix(makeToken()))
  expect(prefixes.filter(prefix => !/^[A-Za-z0-9_]/.test(prefix ?? ''))).toEqual([])
})
