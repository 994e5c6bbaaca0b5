import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCoverage } from '../../engine/quality/coverage/find.ts'
import { COVERAGE_FORMATS } from '../../engine/quality/coverage/formats.ts'
import { matchCoverage } from '../../engine/quality/coverage/match.ts'
import type { FileCoverage } from '../../engine/quality/coverage/report.ts'
import { refusal } from '../made/call.ts'
import { folder } from '../made/folder.ts'

/** The same result in each format: of src/a the lines 1 and 2 were run and line 4 was not. */
const REPORTS: Record<string, [path: string, text: string]> = {
  lcov: ['coverage/lcov.info', 'TN:\nSF:src/a.ts\nFN:1,add\nDA:1,3\nDA:2,1,abc\nDA:4,0\nLF:3\nLH:2\nend_of_record\n'],
  Cobertura: [
    'coverage.xml',
    '<?xml version="1.0"?>\n<coverage line-rate="0.66" version="1">\n<sources><source>/home/kim/app/src</source></sources>\n<packages><package name=""><classes>\n<class name="a" filename="src/a.ts"><methods><method name="add"><lines><line number="1" hits="3"/></lines></method></methods>\n<lines><line number="1" hits="3"/><line number="2" hits="1"/><line number="4" hits="0"/></lines></class>\n</classes></package></packages></coverage>',
  ],
  JaCoCo: [
    'target/site/jacoco/jacoco.xml',
    '<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">\n<report name="app"><package name="src"><class name="src/A"/><sourcefile name="a.ts"><line nr="1" mi="0" ci="2" mb="0" cb="0"/><line nr="2" mi="1" ci="1" mb="0" cb="0"/><line nr="4" mi="3" ci="0" mb="0" cb="0"/><counter type="LINE" missed="1" covered="2"/></sourcefile></package></report>',
  ],
  Clover: [
    'coverage/clover.xml',
    '<?xml version="1.0"?>\n<coverage generated="1" clover="3.2.0"><project timestamp="1"><file name="a.ts" path="/home/kim/app/src/a.ts">\n<line num="1" count="3" type="method"/><line num="1" count="3" type="stmt"/><line num="2" count="1" type="cond"/><line num="4" count="0" type="stmt"/></file></project></coverage>',
  ],
  'coverage.py': [
    'coverage.json',
    '{"meta": {"branch_coverage": false}, "files": {"src/a.ts": {"executed_lines": [1, 2], "missing_lines": [4]}}}',
  ],
  SimpleCov: [
    'coverage/.resultset.json',
    '{"RSpec": {"coverage": {"/home/kim/app/src/a.ts": {"lines": [3, 1, null, 0]}}, "timestamp": 1}}',
  ],
}

const LCOV = 'SF:a.ts\nDA:1,1\nend_of_record\n'

const count = (file: FileCoverage | undefined) => {
  const units = [...(file?.units.values() ?? [])]
  return [units.reduce((n, { hit, weight }) => n + (hit ? weight : 0), 0), units.reduce((n, u) => n + u.weight, 0)]
}

describe('a coverage report', () => {
  test.each(Object.entries(REPORTS))(
    'of %s gives the lines that were run and those that were not',
    async (name, [path, text]) => {
      const found = await findCoverage(folder({ [path]: text }), ['src/a.ts', 'src/b.ts'])
      expect(found.reports).toMatchObject([{ path, format: name, files: 1, matched: 1 }])
      expect(count(found.files.get('src/a.ts'))).toEqual([2, 3])
    },
  )

  test('of Go counts statements, and a block in two profiles once', async () => {
    const text =
      'mode: set\nexample.com/app/a.go:3.2,5.3 2 1\nexample.com/app/a.go:6.2,9.3 3 0\nexample.com/app/a.go:6.2,9.3 3 1\nexample.com/app/a.go:11.2,12.3 4 0\n'
    const found = await findCoverage(folder({ 'coverage.out': text }), ['a.go'])
    expect(count(found.files.get('a.go'))).toEqual([5, 9])
  })

  test('is also found beside the manifest of a package', async () => {
    const root = folder({ 'packages/x/coverage/lcov.info': 'SF:src/a.ts\nDA:1,1\nend_of_record\n' })
    const found = await findCoverage(root, ['packages/x/package.json', 'packages/x/src/a.ts', 'packages/y/src/a.ts'])
    expect(found.reports.map(({ path }) => path)).toEqual(['packages/x/coverage/lcov.info'])
  })

  test.each([
    ['coverage/lcov.info', 'SF:a.ts\nDA:1,1\nDA:x,1\nend_of_record\n', 3],
    ['coverage/lcov.info', 'SF:a.ts\nDA:1,1\n', 3],
    ['coverage/lcov.info', 'TN:\nnothing of the kind\n', 2],
    ['coverage.xml', '<coverage line-rate="1">\n<class filename="a.ts">\n<line number="1" hits="1"/>\n', 4],
    ['coverage.xml', '<coverage line-rate="1">\n<class>\n', 2],
    ['target/site/jacoco/jacoco.xml', '<report name="x">\n<sourcefile name="A.java">\n<line nr="1"/>', 3],
    ['coverage.out', 'mode: set\na.go:1.1,2.2 1\n', 2],
    ['coverage.json', '{"meta": {"branch_coverage": false},\n"files": {"a.py": {"executed_lines": 3}}}', 2],
    ['coverage/.resultset.json', '{"RSpec": {\n"coverage": {"a.rb": ', 2],
  ])('%s that is broken (%j) is an error with its line, never 0 percent', async (path, text, line) => {
    const error = await refusal(() => findCoverage(folder({ [path]: text }), ['a.ts']))
    expect(error).toMatchObject({ code: 'INPUT_INVALID', place: { file: path, line } })
    expect(error.row.exit).toBe(64)
  })

  const FOREIGN: [path: string, text: string, reason: string][] = [
    ['c.out', '\x7fELF\x02\x01\x01\0\0', 'it is in no format of coverage that svc reads'],
    ['coverage.json', '{"/app/a.js": {"path": "/app/a.js", "statementMap": {}, "s": {"0": 1}}}', 'it is in no format'],
    ['coverage/lcov.info', '', 'it is empty'],
    ['coverage/lcov.info', 'TN:\n', 'it names no file with lines'],
    ['coverage.xml', '<coverage line-rate="0" version="1"><packages/></coverage>', 'it names no file with lines'],
  ]
  test.each(FOREIGN)('is not what has only the name of one: %s with %j is skipped', async (path, text, reason) => {
    const found = await findCoverage(folder({ [path]: text, 'lcov.info': LCOV }), ['a.ts'])
    expect(found.skipped).toEqual([{ path, reason: expect.stringContaining(reason) }])
    expect(found.reports.map(report => report.path)).toEqual(['lcov.info'])
  })

  test.each(FOREIGN)('that the user names must be one: %s with %j is an error', async (path, text, reason) => {
    const named = [path]
    const error = await refusal(() => findCoverage(folder({ [path]: text }), ['a.ts'], { named }))
    expect(error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(reason) })
  })

  test('that the user names is read instead of those that are found', async () => {
    const root = folder({ 'lcov.info': LCOV, 'build/unit.info': 'SF:a.ts\nDA:1,0\nend_of_record\n' })
    const found = await findCoverage(join(root), ['a.ts'], { named: ['unit.info'], cwd: join(root, 'build') })
    expect(count(found.files.get('a.ts'))).toEqual([0, 1])
    const error = await refusal(() => findCoverage(root, ['a.ts'], { named: ['gone.info'] }))
    expect(error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('gone.info') })
  })

  test('in a directory that leads out of the repository is skipped', async () => {
    const elsewhere = folder({ 'lcov.info': LCOV })
    const root = folder({ 'a.ts': '', 'reports/lcov.info': LCOV })
    symlinkSync(elsewhere, join(root, 'coverage'))
    const found = await findCoverage(root, ['a.ts'])
    expect(found.reports).toEqual([])
    expect(found.skipped).toEqual([{ path: 'coverage/lcov.info', reason: 'it is outside of the repository' }])
    mkdirSync(join(root, 'build'))
    symlinkSync('../reports', join(root, 'build/coverage'))
    expect((await findCoverage(root, ['a.ts'])).reports.map(({ path }) => path)).toEqual(['build/coverage/lcov.info'])
  })

  test('that is older than another gives nothing for the files of both', async () => {
    const root = folder({
      'lcov.info': `${LCOV}SF:b.ts\nDA:1,1\nend_of_record\n`,
      'coverage.xml':
        '<coverage line-rate="0"><class filename="a.ts"><line number="1" hits="0"/><line number="2" hits="0"/></class></coverage>',
    })
    utimesSync(join(root, 'lcov.info'), 1_000_000, 1_000_000)
    const found = await findCoverage(root, ['a.ts', 'b.ts'])
    expect(count(found.files.get('a.ts'))).toEqual([0, 2])
    expect(count(found.files.get('b.ts'))).toEqual([1, 1])
  })

  test('of OpenClover has conditions with two counts', async () => {
    const text =
      '<coverage clover="4.5.0" generated="1"><file name="A.java" path="src/A.java"><line num="3" type="method" count="2"/><line num="4" type="cond" truecount="0" falsecount="2"/><line num="5" type="cond" truecount="0" falsecount="0"/><line num="6" type="stmt" count="1"/></file></coverage>'
    const found = await findCoverage(folder({ 'clover.xml': text }), ['src/A.java'])
    expect(count(found.files.get('src/A.java'))).toEqual([2, 3])
  })

  test.each(COVERAGE_FORMATS)('$name is told by the beginning of its text', ({ name, marker, examples }) => {
    expect(marker.test(examples.match)).toBe(true)
    expect(COVERAGE_FORMATS.find(each => each.marker.test(examples.match))?.name).toBe(name)
    expect(marker.test(examples.other)).toBe(false)
  })
})

describe('a path of a report', () => {
  const matchIn = (project: string, path: string, ...listed: string[]) => [
    ...matchCoverage([{ path, units: new Map([[1, { hit: true, weight: 1 }]]) }], listed, project).files.keys(),
  ]
  const match = (path: string, ...listed: string[]) => matchIn('', path, ...listed)

  test('is the listed file with the longest common end', () => {
    expect(match('/build/app/src/a/x.ts', 'src/a/x.ts', 'src/b/x.ts', 'x.ts')).toEqual(['src/a/x.ts'])
    expect(match('a\\x.ts', 'src/a/x.ts', 'src/b/x.ts')).toEqual(['src/a/x.ts'])
  })

  test('matches nothing where it could be two files, or where only the name is the same', () => {
    expect(match('x.ts', 'src/a/x.ts', 'src/b/x.ts')).toEqual([])
    expect(match('lib/x.ts', 'src/x.ts')).toEqual([])
  })

  test('is the file of the package whose report it is', () => {
    const listed = ['src/a.ts', 'packages/x/src/a.ts', 'packages/y/src/a.ts', 'packages/y/src/b.ts']
    expect(matchIn('packages/x/', 'src/a.ts', ...listed)).toEqual(['packages/x/src/a.ts'])
    expect(matchIn('packages/y/', 'src/a.ts', ...listed)).toEqual(['packages/y/src/a.ts'])
    expect(matchIn('', 'src/a.ts', ...listed)).toEqual(['src/a.ts'])
    expect(matchIn('packages/x/', 'src/b.ts', ...listed)).toEqual([])
    expect(matchIn('packages/x/', '/home/kim/app/packages/y/src/a.ts', ...listed)).toEqual(['packages/y/src/a.ts'])
    expect(matchIn('packages/x/', 'packages/y/src/b.ts', ...listed)).toEqual(['packages/y/src/b.ts'])
  })
})
