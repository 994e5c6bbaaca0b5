import { describe, expect, it } from 'vitest'
import { compareSymbols } from '../../../engine/delivery/impact/change.ts'
import { computeImpact, type ImpactInput, type ImpactRequirement } from '../../../engine/delivery/impact/impact.ts'

const changed = (file: string, change: 'added' | 'modified' | 'deleted' = 'modified') => ({ file, change, symbols: [] })
const requirement = (id: string, more: Partial<ImpactRequirement> = {}): ImpactRequirement => ({
  ...{ id, title: id, status: 'approved', controls: [], code: new Set(), tests: new Set(), isConfirmed: false },
  ...more,
})
const compute = (more: Partial<ImpactInput>) =>
  computeImpact({
    ...{
      change: { scope: 'staged', files: [changed('a.ts')] },
      importers: new Map(),
      isTest: path => path.includes('.test.'),
    },
    ...{ requirements: [], sources: new Map(), findings: [], unread: new Map(), unknown: [] },
    ...more,
  })
const finding = (file: string, severity: 'high' | 'low') => ({
  ...{ rule_id: `rule-${severity}`, severity, file, controls: [{ framework: 'soc2', control: 'CC6.1' }] },
})

describe('the impact of a change', () => {
  it('is low where nothing depends on the file', () => {
    expect(compute({}).files).toMatchObject([{ risk: 'low', revalidate: false }])
  })

  it.each([
    '.svc/config.yaml',
    'services/web/.svc/config.yaml',
    '.svc/rules/own-rule.yaml',
    '.guard.yaml',
    'policies.yaml',
  ])('is high where the gate follows from the file: %s', file => {
    expect(compute({ change: { scope: 'staged', files: [changed(file)] } })).toMatchObject({ risk: 'high' })
  })

  it('has the requirements of the file, and of the code that imports it however far', () => {
    const impact = compute({
      importers: new Map([
        ['a.ts', ['b.ts']],
        ['b.ts', ['c.ts', 'b.test.ts']],
        ['c.ts', ['a.ts']],
      ]),
      requirements: [
        requirement('OWN', { code: new Set(['a.ts']), tests: new Set(['own.test.ts']) }),
        requirement('FAR', { code: new Set(['c.ts']) }),
        requirement('NOT', { code: new Set(['d.ts']) }),
      ],
    })
    expect(impact.requirements.map(({ id, via }) => [id, via])).toEqual([
      ['FAR', 'import'],
      ['OWN', 'code'],
    ])
    expect(impact.tests).toEqual(['b.test.ts', 'own.test.ts'])
    expect(impact.files[0]).toMatchObject({ risk: 'medium', importers: 1, dependents: 3 })
  })

  it('is high, and asks for revalidation, where a high rule has findings in the file', () => {
    const impact = compute({ findings: [finding('a.ts', 'high'), finding('b.ts', 'low')] })
    expect(impact).toMatchObject({ risk: 'high', revalidate: true, rules: [{ id: 'rule-high' }] })
    expect(impact.frameworks).toEqual([{ framework: 'soc2', controls: ['CC6.1'] }])
    expect(compute({ findings: [finding('a.ts', 'low')] })).toMatchObject({ risk: 'low', revalidate: false })
  })

  it('is medium where a high rule has findings in a file that imports it', () => {
    const importers = new Map([['a.ts', ['b.ts']]])
    expect(compute({ importers, findings: [finding('b.ts', 'high')] })).toMatchObject({
      risk: 'medium',
      revalidate: true,
    })
  })

  it('is high where a deleted file is still imported', () => {
    const change = { scope: 'staged', files: [changed('a.ts', 'deleted')] }
    expect(compute({ change, importers: new Map([['a.ts', ['b.ts']]]) }).risk).toBe('high')
  })

  it('is high where a requirement meets a control and has no test', () => {
    const untested = requirement('A', { controls: ['soc2:CC6.1'], code: new Set(['a.ts']) })
    expect(compute({ requirements: [untested] }).files[0]).toMatchObject({ risk: 'high' })
    const tested = { ...untested, tests: new Set(['a.test.ts']) }
    expect(compute({ requirements: [tested] }).files[0]).toMatchObject({ risk: 'medium' })
  })

  it('asks for a confirmed requirement to be confirmed again', () => {
    const confirmed = requirement('A', { code: new Set(['a.ts']), isConfirmed: true })
    expect(compute({ requirements: [confirmed] })).toMatchObject({
      revalidate: true,
      requirements: [{ revalidate: true }],
    })
  })

  it('is never low where something is unknown', () => {
    expect(compute({ findings: undefined })).toMatchObject({ risk: 'medium', not_evaluated: [{ file: '' }] })
    expect(compute({ unknown: [{ file: 'requirements.yaml', reason: 'line 1' }] })).toMatchObject({ risk: 'medium' })
    expect(compute({ unread: new Map([['a.ts', 'too deep']]) })).toMatchObject({
      ...{ risk: 'medium', not_evaluated: [{ file: 'a.ts', reason: 'too deep' }] },
    })
  })
})

it('names the declarations whose code differs', () => {
  const before = 'export function a() {\n  return 1\n}\nexport function b() {\n  return 2\n}\n'
  const after = 'export function a() {\n  return 1\n}\nexport function b() {\n  return 3\n}\nexport function c() {}\n'
  expect(compareSymbols('x.ts', before, after)).toEqual(['b', 'c'])
  expect(compareSymbols('x.ts', before, undefined)).toEqual(['a', 'b'])
})
