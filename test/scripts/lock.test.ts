import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>
}

test('the lock file names the packages of every platform, so that npm ci takes it anywhere', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  /** Where Node looks for a package that another one asks for. */
  const isFound = (from: string, name: string): boolean => {
    if (packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`]) return true
    return from !== '' && isFound(from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)), name)
  }
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(name => !isFound(from, name)),
  )
  expect(missing).toEqual([])
})
