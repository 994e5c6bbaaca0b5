import { describe, expect, test } from 'vitest'
import { findGaps } from '../../../engine/quality/expertise/gaps.ts'
import type { HistoryCommit } from '../../../engine/quality/expertise/history.ts'
import { ExpertiseCounter } from '../../../engine/quality/expertise/profile.ts'
import fc from '../../made/property.ts'

const NONE = '0'.repeat(40)
const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const by = (name: string, ...paths: string[]): HistoryCommit => ({
  ...{ name, email: `${name}@example.org`, time: 0, isRoot: false },
  files: paths.map(path => ({ path, before: A, after: B })),
})
const profileOf = (commits: readonly HistoryCommit[]) => {
  const counter = new ExpertiseCounter()
  for (const commit of commits) counter.add(commit)
  return counter.profile()
}
const kim = 'kim <kim@example.org>'
const gapsOf = (commits: readonly HistoryCommit[], paths: readonly string[], threshold = 0.2) =>
  findGaps([{ author: kim, paths }], profileOf(commits), threshold, 180)
const times = (count: number, commit: HistoryCommit) => Array.from({ length: count }, () => commit)

describe('a profile', () => {
  test('counts a commit once for each language and directory that it touches', () => {
    const profile = profileOf([by('kim', 'src/a.ts', 'src/b.ts', 'docs/a.md'), by('lee', 'src/c.ts', 'README.md')])
    expect(profile.commits).toBe(2)
    expect(profile.authors[0]).toEqual({
      author: kim,
      commits: 1,
      languages: { markdown: { commits: 1, share: 0.5 }, typescript: { commits: 1, share: 0.5 } },
      directories: { docs: { commits: 1, share: 1 }, src: { commits: 1, share: 0.5 } },
    })
    expect(profile.directories['.']).toEqual({ commits: 1, authors: 1 })
  })

  test('counts what was done to a file before its rename where it is now', () => {
    const rename = {
      ...by('lee'),
      files: [
        { path: 'lib/a.ts', before: B, after: NONE },
        { path: 'src/a.ts', before: NONE, after: B },
      ],
    }
    const again = {
      ...by('lee'),
      files: [
        { path: 'src/a.ts', before: B, after: NONE },
        { path: 'app/a.ts', before: NONE, after: B },
      ],
    }
    const { directories } = profileOf([again, rename, by('kim', 'lib/a.ts')])
    expect(directories).toEqual({ app: { commits: 3, authors: 2 } })
  })

  test('takes a directory for itself that is called as a property of every object', () => {
    expect(profileOf([by('kim', 'constructor/a.ts', '__proto__/b.ts')]).commits).toBe(1)
    expect(gapsOf([by('lee', 'x/a.ts')], ['constructor/a.ts']).map(({ area_commits }) => area_commits)).toEqual([0, 1])
  })
})

describe('a gap', () => {
  test('is a warning where others know the area and the author has no commit there', () => {
    expect(gapsOf(times(20, by('lee', 'src/a.rs')), ['src/b.rs'])).toMatchObject([
      { kind: 'directory', name: 'src', severity: 'warning', gap: 1, commits: 0, area_commits: 20, needed: 10 },
      { kind: 'language', name: 'rust', severity: 'warning', gap: 1 },
    ])
  })

  test('is information where the author has some experience, or nobody has', () => {
    const history = [...times(20, by('lee', 'src/a.rs')), ...times(4, by('kim', 'src/a.rs'))]
    expect(gapsOf(history, ['src/b.rs', 'new/c.rs'])).toMatchObject([
      { name: 'rust', severity: 'info', gap: 0.6, commits: 4 },
      { name: 'new', severity: 'info', gap: 0.5, area_commits: 0 },
      { name: 'src', severity: 'info', gap: 0.3 },
    ])
  })

  test('is none after ten commits, or after all of the few that there are', () => {
    expect(gapsOf(times(10, by('kim', 'src/a.rs')), ['src/b.rs'], 0)).toEqual([])
    expect(gapsOf(times(3, by('kim', 'src/a.rs')), ['src/b.rs'], 0)).toEqual([])
  })

  test('is none in data and prose, which everybody writes', () => {
    const gaps = gapsOf(times(20, by('lee', 'src/a.md')), ['src/b.md', 'src/c.json'])
    expect(gaps.map(({ name }) => name)).toEqual(['src'])
  })

  test('that a threshold reports, every lower one does too', () => {
    const path = fc.constantFrom('a/x.ts', 'a/x.rs', 'b/x.go', 'c.py')
    const commits = fc.array(
      fc.record({ name: fc.constantFrom('kim', 'lee'), paths: fc.array(path, { minLength: 1 }) }),
    )
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(commits, fc.array(path, { minLength: 1 }), unit, unit, (history, paths, one, other) => {
        const made = history.map(({ name, paths: touched }) => by(name, ...touched))
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const [many, few] = [gapsOf(made, paths, low), gapsOf(made, paths, high)]
        expect(many).toEqual(expect.arrayContaining(few))
        for (const { gap } of many) expect(gap).toBeGreaterThanOrEqual(low)
      }),
    )
  })
})
