import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compareVersions } from '../../engine/supply/versions/orders.ts'

const DATA = new URL('../../../shared/data/versions/', import.meta.url)
const isThere = existsSync(DATA)
if (!isThere)
  console.warn(
    'The order of versions was not compared with the facts of osv-scalibr: ../shared/data/versions is not there.',
  )

interface Fact {
  ecosystem: string
  a: string
  op: '<' | '=' | '>'
  b: string
}

/** The names that the facts use, by OSV's. */
const NAMES: Record<string, string> = {
  alpine: 'Alpine',
  cran: 'CRAN',
  debian: 'Debian',
  hackage: 'Hackage',
  maven: 'Maven',
  nuget: 'NuGet',
  packagist: 'Packagist',
  pub: 'Pub',
  pypi: 'PyPI',
  redhat: 'Red Hat',
  rubygems: 'RubyGems',
  semver: 'npm',
}

const SIGNS = { '<': -1, '=': 0, '>': 1 }

/** Facts of the ecosystems' own tools about which of two versions is older. */
describe.runIf(isThere)('version order', () => {
  const files = isThere ? readdirSync(DATA).filter(name => name.endsWith('.jsonl')) : []

  it.each(files)('agrees with every fact of %s, in both directions', name => {
    const facts = readFileSync(new URL(name, DATA), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Fact)
    expect(facts.length).toBeGreaterThan(0)
    const wrong = facts.filter(({ ecosystem, a, op, b }) => {
      const there = compareVersions(NAMES[ecosystem]!, a, b)
      const back = compareVersions(NAMES[ecosystem]!, b, a)
      return there === undefined || Math.sign(there) !== SIGNS[op] || Math.sign(back!) !== 0 - SIGNS[op]
    })
    expect(wrong.map(({ a, op, b }) => `${a} ${op} ${b}`)).toEqual([])
  })
})
