import { describe, expect, it } from 'vitest'
import type { Affected, RangeEvent } from '../../engine/supply/advisories/advisory.ts'
import { normalizeName } from '../../engine/supply/advisories/advisory.ts'
import { matchPackage } from '../../engine/supply/advisories/match.ts'
import { findFixedVersions, judgeVersion } from '../../engine/supply/advisories/ranges.ts'
import { readAdvisory } from '../../engine/supply/advisories/read-compact.ts'
import { readOsv } from '../../engine/supply/advisories/read-osv.ts'
import { loadCalculator, rateAdvisories, scoreVector } from '../../engine/supply/advisories/severity.ts'
import fc from '../made/property.ts'

const entry = (events: RangeEvent[], more: Partial<Affected> = {}): Affected => ({
  ecosystem: 'npm',
  name: 'a',
  ranges: [{ type: 'SEMVER', events }],
  versions: [],
  ...more,
})
const osv = (id: string, more: Record<string, unknown> = {}) =>
  readOsv({
    id,
    modified: '2026-01-01T00:00:00Z',
    affected: [
      {
        package: { ecosystem: 'npm', name: 'a' },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.0' }] }],
      },
    ],
    ...more,
  })
const npm = (version: string) => ({ ecosystem: 'npm', name: 'a', version })

describe('ranges', () => {
  it.each<[string, RangeEvent[], Record<string, boolean>]>([
    [
      'introduced and fixed',
      [{ introduced: '1.0.0' }, { fixed: '1.2.0' }],
      { '0.9.0': false, '1.0.0': true, '1.1.9': true, '1.2.0': false, '1.2.0-rc.1': true },
    ],
    [
      '"0" is before every version, prereleases too',
      [{ introduced: '0' }, { fixed: '1.0.0' }],
      { '0.0.0-alpha': true, '1.0.0': false },
    ],
    ['last affected', [{ introduced: '1.0.0' }, { last_affected: '1.4.0' }], { '1.4.0': true, '1.4.1': false }],
    ['no end', [{ introduced: '2.0.0' }], { '1.9.9': false, '99.0.0': true }],
    ['a limit', [{ introduced: '1.0.0' }, { limit: '1.5.0' }], { '1.4.9': true, '1.5.0': false }],
    ['a limit that is none', [{ introduced: '1.0.0' }, { limit: '*' }], { '7.0.0': true }],
    [
      'two spans, in any order',
      [{ fixed: '2.1.0' }, { introduced: '2.0.0' }, { fixed: '1.1.0' }, { introduced: '1.0.0' }],
      { '1.0.5': true, '1.1.0': false, '2.0.0': true, '2.1.0': false },
    ],
  ])('%s', (_, events, expected) => {
    for (const [version, isAffected] of Object.entries(expected))
      expect(judgeVersion(entry(events), version), version).toBe(isAffected ? 'affected' : 'unaffected')
  })

  it('a listed version is affected though no range has it, and one that is spelled differently is', () => {
    const listed = { ...entry([]), ecosystem: 'PyPI', ranges: [], versions: ['1.0', '2.0rc1'] }
    expect(judgeVersion(listed, '1.0.0')).toBe('affected')
    expect(judgeVersion(listed, '2.0.0-rc1')).toBe('affected')
    expect(judgeVersion(listed, '1.1')).toBe('unaffected')
    expect(judgeVersion({ ...entry([{ introduced: '5.0.0' }]), versions: ['1.0.0'] }, '1.0.0')).toBe('affected')
  })

  it('what cannot be compared is unknown', () => {
    expect(judgeVersion(entry([{ introduced: '0' }, { fixed: '1.0.0' }]), 'git+https://example.com/a')).toBe('unknown')
    expect(judgeVersion(entry([{ introduced: 'x' }, { fixed: '1.0.0' }]), '0.5.0')).toBe('unknown')
    expect(judgeVersion({ ...entry([]), ranges: [] }, '0.5.0')).toBe('unknown')
    expect(judgeVersion({ ...entry([{ introduced: '0' }]), ecosystem: 'Nowhere' }, '0.5.0')).toBe('unknown')
  })

  it('the fix is the least version that no range is about', () => {
    const spans = [
      entry([{ introduced: '0' }, { fixed: '1.5.0' }]),
      entry([{ introduced: '1.5.0' }, { fixed: '2.3.0' }]),
    ]
    expect(findFixedVersions(spans, '1.0.0')).toEqual(['2.3.0'])
    expect(findFixedVersions([entry([{ introduced: '0' }])], '1.0.0')).toEqual([])
    expect(
      findFixedVersions(
        [entry([{ introduced: '0' }, { fixed: '0.9.0' }, { introduced: '1.0.0' }, { fixed: '1.10.0' }])],
        '1.9.0',
      ),
    ).toEqual(['1.10.0'])
  })

  it('every version is on one side of every bound', () => {
    const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map(numbers => numbers.join('.'))
    fc.assert(
      fc.property(version, version, version, (from, to, asked) => {
        const isIn = (bound: RangeEvent[]) => judgeVersion(entry(bound), asked) === 'affected'
        // Below the fix or not below it; and the last affected version is in what the fix leaves out.
        expect(isIn([{ introduced: '0' }, { fixed: to }])).toBe(!isIn([{ introduced: to }]))
        if (isIn([{ introduced: from }, { fixed: to }]))
          expect(isIn([{ introduced: from }, { last_affected: to }])).toBe(true)
      }),
    )
  })
})

describe('requirements of RustSec and RubySec', () => {
  const rust = (patched: string[], unaffected: string[] = []) =>
    readAdvisory({ id: 'RUSTSEC-2020-0001', package: 'a', date: '2020-01-01', patched, unaffected }).affected[0]!
  const ruby = (patched_versions: string[], unaffected_versions: string[] = []) =>
    readAdvisory({ id: 'CVE-2020-1', gem: 'a', patched_versions, unaffected_versions }).affected[0]!

  it.each<[string, Affected, Record<string, boolean>]>([
    ['patched from', rust(['>= 1.2.3']), { '1.2.2': true, '1.2.3': false, '2.0.0': false }],
    [
      'patched within a caret',
      rust(['^0.2.5', '>= 0.3.1']),
      { '0.2.4': true, '0.2.5': false, '0.3.0': true, '0.3.1': false },
    ],
    ['unaffected before', rust(['>= 1.0.0'], ['< 0.5.0']), { '0.4.9': false, '0.5.0': true }],
    ['never patched', rust([]), { '9.0.0': true }],
    ['both of two', rust(['>= 1.0.0, < 2.0.0']), { '1.5.0': false, '2.0.0': true }],
    [
      'pessimistic',
      ruby(['~> 3.0.16', '>= 3.2.7']),
      { '3.0.15': true, '3.0.16': false, '3.1.0': true, '3.2.7': false },
    ],
    ['unaffected between', ruby(['>= 3.2.7'], ['>= 2.3.5, <= 2.3.14']), { '2.3.14': false, '2.3.15': true }],
  ])('%s', (_, affected, expected) => {
    for (const [version, isAffected] of Object.entries(expected))
      expect(judgeVersion(affected, version), version).toBe(isAffected ? 'affected' : 'unaffected')
  })

  it('a requirement that cannot be read makes unknown what no other one allows', () => {
    expect(judgeVersion(rust(['>= 2.0.0', 'newer']), '1.0.0')).toBe('unknown')
    expect(judgeVersion(rust(['>= 2.0.0', 'newer']), '2.0.0')).toBe('unaffected')
  })

  it('name the fix', () => {
    expect(findFixedVersions([ruby(['~> 3.0.16', '>= 3.2.7'])], '3.1.0')).toEqual(['3.2.7'])
  })
})

describe('matching', () => {
  it('merges advisories that share an alias, under GitHub’s id', () => {
    const { matches } = matchPackage(npm('1.0.0'), [
      osv('CVE-2026-1'),
      osv('SNYK-1', { aliases: ['CVE-2026-1'] }),
      osv('GHSA-1', { aliases: ['CVE-2026-1'] }),
      osv('GHSA-2', { aliases: ['CVE-2026-2'] }),
    ])
    expect(matches.map(({ id, aliases }) => [id, aliases])).toEqual([
      ['GHSA-1', ['CVE-2026-1', 'SNYK-1']],
      ['GHSA-2', ['CVE-2026-2']],
    ])
  })

  it('a fix is one that every advisory about the vulnerability agrees with', () => {
    const later = osv('GHSA-1', {
      aliases: ['CVE-1'],
      affected: [
        {
          package: { ecosystem: 'npm', name: 'a' },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.3.0' }] }],
        },
      ],
    })
    expect(matchPackage(npm('1.0.0'), [osv('CVE-1'), later]).matches[0]!.fixed).toEqual(['1.3.0'])
  })

  it('a withdrawn advisory is none', () => {
    expect(matchPackage(npm('1.0.0'), [osv('GHSA-1', { withdrawn: '2026-02-01T00:00:00Z' })]).matches).toEqual([])
  })

  it('a version that cannot be compared is listed as unknown, or as a match where the database has matched it', () => {
    expect(matchPackage(npm('latest'), [osv('GHSA-1')])).toEqual({ matches: [], unknown: ['GHSA-1'] })
    expect(matchPackage(npm('latest'), [osv('GHSA-1')], new Set(['GHSA-1'])).matches.map(({ id }) => id)).toEqual([
      'GHSA-1',
    ])
  })

  it('looks names up as the registry does', () => {
    expect(normalizeName('PyPI', 'Zope.Interface__x')).toBe('zope-interface-x')
    expect(normalizeName('npm', 'JSONStream')).toBe('JSONStream')
    expect(normalizeName('NuGet', 'Newtonsoft.Json')).toBe('newtonsoft.json')
    expect(normalizeName('SwiftURL', 'https://github.com/Apple/swift-nio.git')).toBe('github.com/apple/swift-nio')
  })
})

describe('an advisory that is half there', () => {
  it.each<[string, unknown]>([
    ['no object', []],
    ['no id', { affected: [] }],
    ['affected is no list', { id: 'X-1', affected: {} }],
    ['a package without a name', { id: 'X-1', affected: [{ package: { ecosystem: 'npm' } }] }],
    [
      'a range without events',
      { id: 'X-1', affected: [{ package: { ecosystem: 'npm', name: 'a' }, ranges: [{ type: 'SEMVER' }] }] },
    ],
    [
      'a range of no known type',
      { id: 'X-1', affected: [{ package: { ecosystem: 'npm', name: 'a' }, ranges: [{ type: 'X', events: [] }] }] },
    ],
    [
      'an event of two kinds',
      {
        id: 'X-1',
        affected: [
          {
            package: { ecosystem: 'npm', name: 'a' },
            ranges: [{ type: 'SEMVER', events: [{ introduced: '0', fixed: '1' }] }],
          },
        ],
      },
    ],
    [
      'a range that is introduced nowhere',
      {
        id: 'X-1',
        affected: [
          { package: { ecosystem: 'npm', name: 'a' }, ranges: [{ type: 'SEMVER', events: [{ fixed: '1' }] }] },
        ],
      },
    ],
  ])('is refused: %s', (_, record) => {
    expect(() => readAdvisory(record)).toThrow()
  })

  it('never crashes the reader', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        try {
          readAdvisory(JSON.parse(text))
        } catch (error) {
          expect((error as Error).name).toBe('AdvisoryFault')
        }
      }),
    )
  })
})

describe('severity', () => {
  it.each<[string, number | undefined]>([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.0/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L', 5.6],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
    ['AV:N/AC:L/Au:N/C:P/I:P/A:P', 7.5],
    ['(AV:N/AC:L/Au:N/C:P/I:P/A:P)', 7.5],
    // Incomplete, unknown or no vector at all: not known, never 0.
    ['CVSS:3.1/AV:N', undefined],
    ['CVSS:3.1/', undefined],
    ['', undefined],
    ['CVSS:9.9/AV:N/AC:L', undefined],
    ['7.5', undefined],
    ['CVSS:3.1/AV:Q/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
  ])('%j has the score %s', async (vector, score) => {
    expect(scoreVector(vector, await loadCalculator())).toBe(score)
  })

  it('is that of the worst vector, else the database’s word, else unknown', async () => {
    const calculator = await loadCalculator()
    const rate = (...advisories: ReturnType<typeof osv>[]) => rateAdvisories(advisories, [], calculator).severity
    const vector = (score: string) => [{ type: 'CVSS_V3', score }]
    const medium = vector('CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L')
    const critical = vector('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')
    expect(rate(osv('A', { severity: medium }), osv('B', { severity: critical }))).toBe('critical')
    expect(rate(osv('A', { severity: vector('CVSS:3.1/AV:N'), database_specific: { severity: 'MODERATE' } }))).toBe(
      'medium',
    )
    expect(rate(osv('A', { severity: vector('CVSS:3.1/AV:N') }))).toBe('unknown')
    expect(rate(osv('MAL-2026-1'))).toBe('critical')
  })
})
