import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Advisory } from '../../engine/supply/advisories/advisory.ts'
import { matchPackage } from '../../engine/supply/advisories/match.ts'
import { readAdvisory } from '../../engine/supply/advisories/read-compact.ts'

const DATA = new URL('../../../shared/data/vulns/osv/', import.meta.url)
const isThere = existsSync(DATA)
if (!isThere) console.warn('Matching was not compared with published advisories: ../shared/data/vulns is not there.')

/** Advisories of five databases: what they say of their own bounds is what matching must answer. */
describe.runIf(isThere)('published advisories', () => {
  const files = isThere ? readdirSync(DATA).filter(name => name.endsWith('.jsonl')) : []

  it.each(files)('of %s load and match: affected where they begin, unaffected where they are fixed', name => {
    const lines = readFileSync(new URL(name, DATA), 'utf8').trim().split('\n')
    const advisories = lines.map(line => readAdvisory(JSON.parse(line)))
    expect(advisories.length).toBe(lines.length)
    expect(advisories.flatMap(findDisagreements)).toEqual([])
  })
})

/** A version before all that are published. */
const LEAST: Record<string, string> = {
  Go: '0.0.0-0',
  npm: '0.0.0-0',
  'crates.io': '0.0.0-0',
  PyPI: '0.dev0',
  RubyGems: '0.a',
}

/** Bounds that matching answers differently from the advisory itself. */
function findDisagreements(advisory: Advisory): string[] {
  const current = { ...advisory, withdrawn: undefined } as unknown as Advisory
  const isAffected = (ecosystem: string, name: string, version: string) =>
    matchPackage({ ecosystem, name, version }, [current]).matches.length > 0
  return advisory.affected.flatMap(({ ecosystem, name, ranges, versions }) => {
    const wrong: string[] = []
    const check = (version: string, expected: boolean) => {
      if (isAffected(ecosystem, name, version) !== expected)
        wrong.push(`${advisory.id} ${name} ${version} must ${expected ? '' : 'not '}be affected`)
    }
    for (const version of versions) check(version, true)
    for (const range of ranges)
      if (range.type === 'EXCEPT') {
        for (const one of range.fixed) {
          const [, operator, version] = /^(>=|~>|=|\^)\s*([^,\s]+)$/.exec(one) ?? []
          if (operator) check(version!, false)
        }
        check(LEAST[ecosystem]!, !range.unaffected.some(one => /^\s*</.test(one)))
      } else
        for (const event of range.events) {
          if ('introduced' in event) check(event.introduced === '0' ? LEAST[ecosystem]! : event.introduced, true)
          // Entries of Go's database for one module overlap where it has bounds that are no versions.
          if ('fixed' in event && advisory.affected.filter(one => one.name === name).length === 1)
            check(event.fixed, false)
          if ('last_affected' in event) check(event.last_affected, true)
        }
    return wrong
  })
}
