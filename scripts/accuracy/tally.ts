/** Counts of judged cases. A case is positive where something is to be found. */
export interface Tally {
  tp: number
  fn: number
  fp: number
  tn: number
}

/** One case with what came of it. */
export interface Outcome {
  language: string
  /** Of the weakness that the case is about; `none` where it has no number. */
  cwe: string
  expected: boolean
  found: boolean
}

/** Shares from 0 to 1; null where there was no case to take the share of. */
export interface Figures extends Tally {
  cases: number
  precision: number | null
  /** Recall, which is the rate of true positives. */
  tpr: number | null
  fpr: number | null
  /** Youden's J: TPR − FPR, 0 for a coin, 1 for an oracle. */
  youden: number | null
}

/** Groups outcomes by what `key` says, in order of the keys' names. */
export function tallied(outcomes: readonly Outcome[], key: (outcome: Outcome) => string): Map<string, Figures> {
  const groups = new Map<string, Tally>()
  for (const outcome of outcomes) {
    const name = key(outcome)
    const tally = groups.get(name) ?? { tp: 0, fn: 0, fp: 0, tn: 0 }
    if (outcome.expected) tally[outcome.found ? 'tp' : 'fn']++
    else tally[outcome.found ? 'fp' : 'tn']++
    groups.set(name, tally)
  }
  const collator = new Intl.Collator('en', { numeric: true })
  const names = [...groups.keys()].sort(collator.compare)
  return new Map(names.map(name => [name, figures(groups.get(name)!)]))
}

/** The shares that follow from counts. */
export function figures(tally: Tally): Figures {
  const { tp, fn, fp, tn } = tally
  const precision = share(tp, tp + fp)
  const tpr = share(tp, tp + fn)
  const fpr = share(fp, fp + tn)
  return {
    ...tally,
    cases: tp + fn + fp + tn,
    precision,
    tpr,
    fpr,
    youden: tpr === null || fpr === null ? null : tpr - fpr,
  }
}

/** A table for a terminal: one line a group, aligned. */
export function table(title: string, groups: ReadonlyMap<string, Figures>): string {
  const head = [title, 'cases', 'tp', 'fn', 'fp', 'tn', 'precision', 'recall', 'fpr', 'youden']
  const rows = [...groups].map(([name, { cases, tp, fn, fp, tn, precision, tpr, fpr, youden }]) => [
    name,
    ...[cases, tp, fn, fp, tn].map(String),
    ...[precision, tpr, fpr, youden].map(value => (value === null ? '–' : value.toFixed(2))),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
