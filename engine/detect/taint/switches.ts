import { type Analysis, countStep, evaluate, executeAll, type Frame } from './analysis.ts'
import { keepChecked } from './checked.ts'
import type { Expression, Switch } from './ir.ts'
import { meet, type State } from './state.ts'
import { join, UNKNOWN, type Value } from './value.ts'

/** A switch as a statement or a value. With a fixed subject only the case that it comes to is carried out. */
export function choose(a: Analysis, f: Frame, form: Switch, state: State): { state: State | undefined; value: Value } {
  const subject = form.subject ? evaluate(a, f, form.subject, state) : undefined
  const first = chosen(a, f, form, subject, state)
  const target: Frame['targets'][number] = { isLoop: false }
  if (form.fallsThrough) f.targets.push(target)
  let through: State | undefined
  let end: State | undefined
  let value: Value | undefined
  let isOpen = first === undefined
  for (const [at, { tests, body, yields, isDefault }] of form.cases.entries()) {
    countStep(a, state.weight())
    const isEntered = first === undefined || first === at
    const entry = isEntered ? meet(through, first === at ? state : state.copy()) : through
    if (!entry) continue
    if (isEntered && !isDefault && form.subject && tests.length > 0) narrow(a, f, form.subject, tests, entry)
    const after = executeAll(a, f, body, entry)
    if (after && yields) {
      const own = evaluate(a, f, yields, after)
      value = value ? join(value, own) : own
    }
    if (isDefault) isOpen = false
    if (form.fallsThrough) through = after
    else end = meet(end, after)
  }
  if (form.fallsThrough) f.targets.pop()
  const out = meet(meet(end, through), target.broken)
  return { state: isOpen || first === -1 ? meet(out, state) : out, value: value ?? UNKNOWN }
}

/** The number of the case that a fixed subject comes to, -1 for none; undefined where that cannot be told. */
function chosen(a: Analysis, f: Frame, form: Switch, subject: Value | undefined, state: State): number | undefined {
  if (subject?.constant === undefined) return undefined
  let fallback = -1
  for (const [at, { tests, isDefault }] of form.cases.entries()) {
    if (isDefault) fallback = at
    for (const test of tests) {
      const { constant } = evaluate(a, f, test, state)
      if (constant === undefined) return undefined
      if (constant === subject.constant) return at
    }
  }
  return fallback
}

/** Within a case the subject is what the case says. */
function narrow(a: Analysis, f: Frame, subject: Expression, tests: readonly Expression[], state: State): void {
  if (subject.kind !== 'name' && subject.kind !== 'member') return
  const values = tests.map(test => evaluate(a, f, test, state))
  if (!values.every(({ constant }) => constant !== undefined)) return
  const value = values.reduce(join)
  if (subject.kind === 'name') state.variables.set(subject.name, value)
  else keepChecked(a, subject, value, state)
}
