import { describe, expect, it } from 'vitest'
import { compareVersions, findOrder, listOrderedEcosystems } from '../../engine/supply/versions/orders.ts'
import fc from '../made/property.ts'

/** Chains of versions, oldest first, each worked out from the ecosystem's own documentation. */
const CHAINS: Record<string, string[][]> = {
  npm: [
    ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0'],
    ['9007199254740993.0.0', '9007199254740994.0.0'],
  ],
  PyPI: [
    ['1.0.dev1', '1.0a1.dev1', '1.0a1', '1.0b2', '1.0rc1', '1.0', '1.0+local', '1.0.post1', '1.0.1', '1!0.1'],
    ['2004d', '0.0.1'],
  ],
  Maven: [
    ['1-alpha-1', '1-beta', '1-milestone-1', '1-rc', '1-snapshot', '1', '1-sp', '1-abc', '1-1', '1.1'],
    ['1.0-foo', '1-1', '1.1'],
  ],
  RubyGems: [['1.0.a.9', '1.0.a.10', '1.0.b1', '1.0', '1.0.1']],
  Packagist: [['dev-main', '1.0-dev', '1.0-alpha1', '1.0-beta1', '1.0-RC1', '1.0', '1.0-p1', '1.0.1']],
  NuGet: [['1.0.0-alpha', '1.0.0-Beta', '1.0.0', '1.0.0.1', '1.0.1']],
  Pub: [['1.2.3-dev', '1.2.3', '1.2.3+1', '1.2.3+2', '1.2.3+a']],
  Debian: [['1.0~rc1-1', '1.0-1', '1.0-1+deb9u1', '1.0-2', '1.0a-1', '1.0+b-1', '1:0.1-1']],
  Alpine: [['1.0_alpha1-r0', '1.0_rc1', '1.0-r0', '1.0-r1', '1.0_p1', '1.0a', '1.02', '1.1', '1.10']],
  'Red Hat': [['1.0~rc1', '1.0', '1.0^git1', '1.0.1', '1:0.1']],
  CRAN: [['0.3', '0.3-1', '0.3.2', '0.3.2.0', '0.4']],
}

/** What only looks different. */
const EQUALS: [string, string, string][] = [
  ['npm', 'v1.2.3', '1.2.3+build.5'],
  ['Go', '1', '1.0.0'],
  ['PyPI', '1.0', '1.0.0'],
  ['PyPI', '1.0-1', '1.0.post1'],
  ['PyPI', '1.0.ALPHA', '1.0a0'],
  ['Maven', '1.0.0', '1-ga'],
  ['Maven', '1cr1', '1-rc-1'],
  ['RubyGems', '1.0', '1'],
  ['Packagist', 'v1.0', '1.0.0.0'],
  ['NuGet', '1.0', '1.0.0.0'],
  ['Debian', '0:1.0-0', '1.0'],
]

describe('version order', () => {
  it.each(Object.entries(CHAINS))('of %s is that of its documentation', (ecosystem, chains) => {
    for (const chain of chains)
      for (const [i, older] of chain.entries())
        for (const newer of chain.slice(i + 1)) {
          expect(compareVersions(ecosystem, older, newer), `${older} < ${newer}`).toBeLessThan(0)
          expect(compareVersions(ecosystem, newer, older), `${newer} > ${older}`).toBeGreaterThan(0)
        }
  })

  it.each(EQUALS)('%s: %s is %s', (ecosystem, first, second) => {
    expect(compareVersions(ecosystem, first, second)).toBe(0)
  })

  it.each([
    ['npm', 'git+https://example.com/a.git'],
    ['npm', 'latest'],
    ['Maven', '[1.0,2.0)'],
    ['Maven', '1.0 or newer'],
    ['RubyGems', '>= 1'],
    ['PyPI', ''],
  ])('%s: %j is no version, so nothing is said of it', (ecosystem, text) => {
    expect(compareVersions(ecosystem, text, '1.0')).toBeUndefined()
  })

  it('is that of the distribution for each of its releases', () => {
    expect(findOrder('Debian:12')).toBe(findOrder('Debian'))
    expect(findOrder('Nowhere')).toBeUndefined()
  })
})

/** Strings that look like versions, with everything in them that some ecosystem gives a meaning. */
const version = fc
  .array(
    fc.oneof(
      fc.nat(20).map(String),
      fc.constantFrom('.', '-', '_', '+', '~', '^', ':', 'a', 'b', 'rc', 'alpha', 'dev', 'post', 'p', 'r1', 'final'),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map(parts => parts.join(''))
/** Maven's own order has circles for words after a dot, so versions as they are published. */
const mavenVersion = fc
  .tuple(
    fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
    fc.option(fc.tuple(fc.constantFrom('alpha', 'beta', 'rc', 'SNAPSHOT', 'sp', 'jre'), fc.option(fc.nat(3)))),
  )
  .map(([numbers, word]) => numbers.join('.') + (word ? `-${word[0]}${word[1] === null ? '' : `-${word[1]}`}` : ''))

describe.each(listOrderedEcosystems())('the order of %s', ecosystem => {
  const compare = (a: string, b: string) => Math.sign(compareVersions(ecosystem, a, b) ?? Number.NaN)

  it('is the same in both directions, and a version equals itself', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const there = compare(a, b)
        if (Number.isNaN(there)) return
        expect(there === 0 - compare(b, a) && compare(a, a) === 0).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('has no circles', () => {
    const some = ecosystem === 'Maven' ? mavenVersion : version
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        const orders = [compare(a, b), compare(b, c), compare(a, c)]
        if (orders.some(Number.isNaN) || orders[0]! > 0 || orders[1]! > 0) return
        expect(orders[2]).toBe(Math.min(orders[0]!, orders[1]!))
      }),
      { numRuns: 1000 },
    )
  })
})
