import { describe, expect, it } from 'vitest'
import { makeRecord, type Requirement } from '../../../engine/delivery/requirements/model.ts'
import { judgeRows } from '../../../engine/delivery/trace/judge.ts'
import {
  groupControls,
  makeRow,
  reachesCoverage,
  summarize,
  type TraceRow,
} from '../../../engine/delivery/trace/matrix.ts'

const NO_STATES = { covered: 0, partly: 0, suspect: 0, untested: 0, unimplemented: 0 }

const row = (id: string, more: Partial<Requirement> = {}, links: Partial<TraceRow> = {}): TraceRow => ({
  ...makeRow({ ...makeRecord({ id, title: id, ...more }), file: 'requirements.yaml', line: 1, format: 'yaml' }),
  ...links,
})
const code = [{ file: 'a.ts', line: 1, origin: 'tag' as const }]
const run = (outcome: 'passed' | 'failed' | 'skipped') => ({
  outcome,
  ran_at: '2026-01-01T00:00:00Z',
  tests: 1,
  failed: 0,
})
const test = (outcome?: 'passed' | 'failed' | 'skipped') => [
  { file: 'a.test.ts', line: 1, origin: 'tag' as const, ...(outcome && { last_run: run(outcome) }) },
]
const judge = (rows: TraceRow[], suspicions = new Map<string, string>()) => {
  const circle = judgeRows(rows, suspicions)
  return { states: rows.map(({ state }) => state), circle: circle.map(({ id }) => id) }
}

describe('a requirement is', () => {
  it.each([
    ['unimplemented without links', {}, 'unimplemented'],
    ['untested with code alone', { code }, 'untested'],
    ['partly covered with a test alone', { tests: test() }, 'partly'],
    ['covered with code and a test that is there', { code, tests: test() }, 'covered'],
    ['covered with code and a test that passed', { code, tests: test('passed') }, 'covered'],
    ['partly covered where the last run failed', { code, tests: test('failed') }, 'partly'],
    ['partly covered where the last run skipped every test', { code, tests: test('skipped') }, 'partly'],
    [
      'partly covered where only a commit links the code',
      { code: [{ ...code[0]!, origin: 'commit' as const }], tests: test() },
      'partly',
    ],
  ])('%s', (_, links, state) => {
    expect(judge([row('A', {}, links)]).states).toEqual([state])
  })

  it('suspect where one end changed since it was confirmed', () => {
    const rows = [row('A', {}, { code, tests: test() })]
    expect(judge(rows, new Map([['A', 'login changed']])).states).toEqual(['suspect'])
    expect(rows[0]!.reasons).toEqual(['login changed'])
  })

  it('what its children are, where it has no links of its own', () => {
    const child = (id: string, links = {}) => row(id, { parent: ['A'] }, links)
    const done = { code, tests: test() }
    expect(judge([row('A'), child('B', done), child('C', done)]).states[0]).toBe('covered')
    expect(judge([row('A'), child('B', done), child('C')]).states[0]).toBe('partly')
    expect(judge([row('A'), child('B'), child('C')]).states[0]).toBe('unimplemented')
    expect(judge([row('A', {}, done), child('B')]).states[0]).toBe('partly')
  })

  it('not what its obsolete children are', () => {
    expect(
      judge([row('A', {}, { code, tests: test() }), row('B', { parent: ['A'], status: 'obsolete' })]).states,
    ).toEqual(['covered', undefined])
  })

  it('named where it is among its own ancestors, and has a state all the same', () => {
    const rows = [row('A', { parent: ['B'] }), row('B', { parent: ['A'] }, { code, tests: test() })]
    expect(judge(rows)).toEqual({ states: ['unimplemented', 'covered'], circle: ['A', 'B'] })
  })
})

it('counts approved requirements alone, and rounds coverage', () => {
  const done = { code, tests: test() }
  const rows = [
    row('A', {}, done),
    row('B'),
    row('C', {}, done),
    row('D', { status: 'draft' }, done),
    row('E', { status: 'obsolete' }),
  ]
  judgeRows(rows, new Map())
  expect(summarize(rows, 0)).toMatchObject({ approved: 3, drafts: 1, obsolete: 1, coverage: 66.7 })
  expect(summarize([], 0).coverage).toBeNull()
})

it('reaches a least coverage only where the part itself does, and not where rounding does', () => {
  const covered = (count: number) => ({ approved: 3000, states: { ...NO_STATES, covered: count } })
  expect(reachesCoverage(covered(2400), 80)).toBe(true)
  // 79.97 %, which is shown as 80.
  expect(reachesCoverage(covered(2399), 80)).toBe(false)
  expect(reachesCoverage({ approved: 0, states: NO_STATES }, 0)).toBe(false)
})

it('gives a control the worst state of its requirements', () => {
  const rows = [row('A', { controls: ['soc2:CC6.1'] }, { code, tests: test() }), row('B', { controls: ['soc2:CC6.1'] })]
  judgeRows(rows, new Map())
  expect(groupControls(rows)).toEqual([{ control: 'soc2:CC6.1', requirements: ['A', 'B'], state: 'unimplemented' }])
})

it('judges a chain of 12,000 requirements', () => {
  const rows = Array.from({ length: 12_000 }, (_, index) =>
    row(`R-${index}`, index === 0 ? {} : { parent: [`R-${index - 1}`] }),
  )
  judgeRows(rows, new Map())
  expect(rows.every(({ state }) => state === 'unimplemented')).toBe(true)
})
