import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { csvLabels, readLabels } from '../../scripts/accuracy/labels.ts'
import { figures, table, tallied } from '../../scripts/accuracy/tally.ts'
import { ROOT } from '../root.ts'

describe('figures', () => {
  it('are the shares that their names mean', () => {
    expect(figures({ tp: 3, fn: 1, fp: 1, tn: 4 })).toEqual({
      ...{ tp: 3, fn: 1, fp: 1, tn: 4, cases: 9 },
      ...{ precision: 0.75, tpr: 0.75, fpr: 0.2, youden: 0.55 },
    })
  })

  it('say nothing where there was nothing to take a share of', () => {
    expect(figures({ tp: 0, fn: 2, fp: 0, tn: 0 })).toMatchObject({ precision: null, tpr: 0, fpr: null, youden: null })
  })

  it('are grouped, numbers in the order of numbers', () => {
    const outcome = { language: 'go', expected: true, found: true }
    const groups = tallied(
      [
        { ...outcome, cwe: 'CWE-89' },
        { ...outcome, cwe: 'CWE-9' },
      ],
      ({ cwe }) => cwe,
    )
    expect([...groups.keys()]).toEqual(['CWE-9', 'CWE-89'])
    expect(table('weakness', groups).split('\n')[1]).toMatch(/^CWE-9 +1 +1 +0 +0 +0 +1\.00 +1\.00 +– +–$/)
  })
})

describe('labels', () => {
  it('are read from a table with its columns in any order', () => {
    expect(csvLabels('expected,cwe,line,path\ntrue,89|564,7,a.java\nfalse,CWE-22,,b.java\n', 'expected.csv')).toEqual([
      { path: 'a.java', lines: [7, 7], cwe: ['CWE-89', 'CWE-564'], expected: true },
      { path: 'b.java', cwe: ['CWE-22'], expected: false },
    ])
  })

  it('may be of a whole method, by its first and last line', () => {
    const [label] = csvLabels('path,line,cwe,expected\na.java,12-30,89,true\n', 'expected.csv')
    expect(label?.lines).toEqual([12, 30])
    expect(() => csvLabels('path,line,cwe,expected\na.java,30-12,89,true\n', 'expected.csv')).toThrow('ends before')
  })

  it('are refused with the line where one is not understood', () => {
    expect(() => csvLabels('path,cwe,expected\na.py,,true\n', 'expected.csv')).toThrow('expected.csv:2: cwe is missing')
    expect(() => csvLabels('path,cwe,expected\na.py,89,yes\n', 'expected.csv')).toThrow('expected.csv:2')
    expect(() => csvLabels('path,cwe,expected,line\na.py,89,true,0\n', 'expected.csv')).toThrow('line must be')
  })

  it('of a folder are a list in JSON, or a table', () => {
    const folder = mkdtempSync(join(tmpdir(), 'labels-'))
    expect(() => readLabels(folder)).toThrow('expected.json nor expected.csv')
    writeFileSync(join(folder, 'expected.json'), '[{"path": "a.py", "line": 2, "cwe": "CWE-95", "expected": true}]')
    expect(readLabels(folder)).toEqual([{ path: 'a.py', lines: [2, 2], cwe: ['CWE-95'], expected: true }])
  })
})

describe('the sample', () => {
  it('is the same for the same seed, holds every rule, and no rule more often than it may', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sample-'))
    const rules = ['much', 'much', 'much', 'much', 'much', 'little']
    const findings = rules.map((rule_id, index) => ({ rule_id, file: 'a.c', line: index + 1 }))
    const file = join(folder, 'findings.json')
    writeFileSync(file, JSON.stringify({ findings }))
    const draw = (...options: string[]) =>
      execFileSync('npx', ['tsx', 'scripts/accuracy-sample.ts', ...options, `tree=${file}`], { cwd: ROOT })
        .toString()
        .trim()
        .split('\n')
    const drawn = draw('--most', '3')
    expect(drawn.filter(row => row.split('\t')[3] === 'much')).toHaveLength(3)
    expect(drawn.filter(row => row.split('\t')[3] === 'little')).toEqual(['tree\ta.c\t6\tlittle\t1'])
    expect(draw('--most', '3')).toEqual(drawn)
    expect(draw('--size', '2')).toHaveLength(2)
  })
})
