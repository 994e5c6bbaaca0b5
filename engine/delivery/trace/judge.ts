import type { TraceRow, TraceState } from './matrix.ts'

/** Why a row is suspect, by the id of its requirement: one end changed since it was confirmed. */
export type Suspicions = ReadonlyMap<string, string>

/**
 * Judges the rows, children before their parents. Covered: code, a test that did not fail, and every child is covered. Partly: something of it is
 * missing or only a commit links the code. Suspect: one end of a link changed since it was confirmed. Untested: code and no test. Unimplemented: no
 * code. A parent without links of its own is what its children are together. Rows that are their own ancestors are returned, judged
 * without their children.
 */
export function judgeRows(rows: readonly TraceRow[], suspicions: Suspicions): TraceRow[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  const waiting = new Map<TraceRow, number>()
  for (const row of rows) {
    for (const parent of new Set(row.parent)) {
      const above = byId.get(parent)
      if (above && above !== row) above.children.push(row.id)
    }
  }
  for (const row of rows) waiting.set(row, row.children.length)
  const ready = rows.filter(row => row.children.length === 0)
  const isJudged = new Set<TraceRow>()
  for (let next = 0; next < ready.length; next++) {
    const row = ready[next]!
    isJudged.add(row)
    const children = row.children.map(id => byId.get(id)!).filter(({ status }) => status !== 'obsolete')
    if (row.status !== 'obsolete') judgeRow(row, children, suspicions.get(row.id))
    for (const parent of new Set(row.parent)) {
      const above = byId.get(parent)
      if (!above || above === row) continue
      const left = waiting.get(above)! - 1
      waiting.set(above, left)
      if (left === 0) ready.push(above)
    }
  }
  const rest = rows.filter(row => !isJudged.has(row))
  for (const row of rest) if (row.status !== 'obsolete') judgeRow(row, [], suspicions.get(row.id))
  return rest
}

function judgeRow(row: TraceRow, children: readonly TraceRow[], suspicion: string | undefined): void {
  const put = (state: TraceState, ...reasons: string[]) => {
    row.state = state
    row.reasons = reasons
  }
  const open = children.filter(({ state }) => state !== 'covered')
  const openText = describeOpen(open)
  const hasCode = row.code.length > 0
  const hasTests = row.tests.length > 0
  if (suspicion !== undefined) put('suspect', suspicion)
  else if (!hasCode && !hasTests) {
    if (children.length === 0) put('unimplemented', 'no code is linked')
    else if (open.length === 0) put('covered')
    else if (children.every(({ state }) => state === 'unimplemented')) put('unimplemented', openText!)
    else if (open.some(({ state }) => state === 'suspect')) put('suspect', openText!)
    else put('partly', openText!)
  } else if (!hasCode) put('partly', 'a test is linked, and no code', ...list(openText))
  else if (!hasTests) put('untested', 'no test is linked', ...list(openText))
  else {
    const reasons = [...list(describeRuns(row)), ...list(describeCommits(row)), ...list(openText)]
    put(reasons.length === 0 ? 'covered' : 'partly', ...reasons)
  }
}

function list(text: string | undefined): string[] {
  return text === undefined ? [] : [text]
}

/** What the last runs say against the row. A test without a run is present, which is enough. */
function describeRuns({ tests }: TraceRow): string | undefined {
  const failed = tests.find(({ last_run }) => last_run?.outcome === 'failed')
  if (failed) return `the last run of ${failed.file} failed`
  const isOnlySkipped = tests.every(({ last_run }) => last_run?.outcome === 'skipped')
  return isOnlySkipped ? 'the last run skipped its tests' : undefined
}

function describeCommits({ code, tests }: TraceRow): string | undefined {
  if (code.every(({ origin }) => origin === 'commit')) return 'the code is linked by commits alone'
  return tests.every(({ origin }) => origin === 'commit') ? 'the tests are linked by commits alone' : undefined
}

function describeOpen(open: readonly TraceRow[]): string | undefined {
  if (open.length === 0) return undefined
  const first = open[0]!
  const rest = open.length === 1 ? '' : ` and ${open.length - 1} more`
  return `${first.id} is ${first.state}${rest}`
}
