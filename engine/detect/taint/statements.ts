import { keepAlias } from './aliases.ts'
import { type Analysis, countStep, evaluate, executeAll, type Frame } from './analysis.ts'
import { assign } from './assignment.ts'
import { readElement } from './elements.ts'
import { findTruth } from './fold.ts'
import { ONCE } from './functions.ts'
import { refine } from './guards.ts'
import type { Expression, Statement } from './ir.ts'
import { makeSite } from './names.ts'
import { checkReturn } from './sinks.ts'
import { isSettled, meet, type State } from './state.ts'
import { choose } from './switches.ts'
import { addStep, join, UNKNOWN } from './value.ts'

/** Rounds of a loop after which what changes still is taken as it is. */
const MOST_ROUNDS = 3

function execute(a: Analysis, f: Frame, statement: Statement, state: State): State | undefined {
  countStep(a)
  switch (statement.kind) {
    case 'expression':
      evaluate(a, f, statement.value, state)
      return endsThere(a, f, statement.value, state) ? undefined : state
    case 'declare': {
      const value = statement.value ? evaluate(a, f, statement.value, state) : UNKNOWN
      assign(a, f, { kind: 'name', name: statement.name, start: statement.start, end: statement.end }, value, state, {
        ...(statement.type !== undefined && { type: statement.type }),
        declares: true,
      })
      if (statement.value?.kind === 'name' && value.labels.length > 0)
        keepAlias(a, statement.name, statement.value.name, state)
      return state
    }
    case 'if':
      return branch(a, f, statement, state)
    case 'while':
      return repeat(a, f, statement, state)
    case 'each':
      return each(a, f, statement, state)
    case 'switch':
      return choose(a, f, statement.switch, state).state
    case 'try':
      return attempt(a, f, statement, state)
    case 'return': {
      const value = statement.value ? evaluate(a, f, statement.value, state) : UNKNOWN
      if (statement.value) checkReturn(a, f, statement.value, value, state)
      if (a.answers?.form === f.function && f.active.length === 1) a.answers?.note(a, f, statement.value, value, state)
      f.returned = f.returned ? join(f.returned, value) : value
      f.ends = meet(f.ends, state.copy())
      return undefined
    }
    case 'throw':
      if (statement.value) evaluate(a, f, statement.value, state)
      return undefined
    case 'break':
    case 'continue':
      leave(f, statement, state)
      return undefined
    case 'block': {
      if (statement.label === undefined) return executeAll(a, f, statement.body, state)
      const target: Frame['targets'][number] = { label: statement.label, isLoop: false }
      f.targets.push(target)
      const end = executeAll(a, f, statement.body, state)
      f.targets.pop()
      return meet(end, target.broken)
    }
    case 'function':
      state.variables.set(statement.function.name, {
        labels: [],
        closure: { function: statement.function, frame: f, variables: state.variables },
      })
      return state
    case 'delete':
      if (statement.target.kind === 'name') state.variables.delete(statement.target.name)
      else evaluate(a, f, statement.target, state)
      return state
  }
}

/** A call that does not come back (`abort(404)`). */
function endsThere(a: Analysis, f: Frame, value: Expression, state: State): boolean {
  return value.kind === 'call' && a.knowledge.ends.find(makeSite(a, f, value, state)).length > 0
}

function leave(f: Frame, { kind, label }: Statement & { kind: 'break' | 'continue' }, state: State): void {
  for (let at = f.targets.length - 1; at >= 0; at--) {
    const target = f.targets[at]!
    if (label !== undefined ? target.label !== label : kind === 'continue' && !target.isLoop) continue
    // An unlabelled break leaves a loop or switch, not a labelled block.
    if (label === undefined && target.label !== undefined && !target.isLoop) continue
    if (kind === 'break') target.broken = meet(target.broken, state.copy())
    else target.continued = meet(target.continued, state.copy())
    return
  }
}

function branch(
  a: Analysis,
  f: Frame,
  { test, yes: then, no: otherwise }: Statement & { kind: 'if' },
  state: State,
): State | undefined {
  const known = findTruth(evaluate(a, f, test, state))
  countStep(a, state.weight())
  const yes = known === false ? undefined : known === true ? state : state.copy()
  const no = known === true ? undefined : state
  let end: State | undefined
  if (yes) {
    refine(a, f, test, true, yes)
    end = executeAll(a, f, then, yes)
  }
  if (no) {
    refine(a, f, test, false, no)
    end = meet(end, executeAll(a, f, otherwise, no))
  }
  return end
}

function repeat(a: Analysis, f: Frame, loop: Statement & { kind: 'while' }, state: State): State | undefined {
  if (!executeAll(a, f, loop.init, state)) return undefined
  // A condition that never seems to change may still do: by code that cannot be seen. One that is written out does not.
  const isEndless = !loop.test || loop.test.kind === 'literal'
  return rounds(a, f, state, !isEndless, (entry, round) => {
    let exit: State | undefined
    if (loop.test && !(loop.atLeastOnce && round === 0)) {
      const known = findTruth(evaluate(a, f, loop.test, entry))
      if (known !== true) {
        exit = entry.copy()
        refine(a, f, loop.test, false, exit)
      }
      if (known === false) return { exit, end: undefined }
      refine(a, f, loop.test, true, entry)
    }
    return { exit, end: executeAll(a, f, loop.body, entry), after: end => executeAll(a, f, loop.step, end) }
  })
}

function each(a: Analysis, f: Frame, loop: Statement & { kind: 'each' }, state: State): State | undefined {
  const source = evaluate(a, f, loop.source, state)
  return rounds(a, f, state, true, entry => {
    const exit = entry.copy()
    const element = readElement(source, entry)
    assign(a, f, loop.target, addStep(element, loop.target, 'element of the collection'), entry, {
      ...(loop.type !== undefined && { type: loop.type }),
      declares: true,
    })
    return { exit, end: executeAll(a, f, loop.body, entry) }
  })
}

interface Round {
  /** The state in which the loop may end before this round. */
  exit: State | undefined
  end: State | undefined
  after?: (end: State) => State | undefined
}

/** Rounds of a loop until nothing new comes of one. One that `ends` goes on behind it even where no round was seen to. */
function rounds(
  a: Analysis,
  f: Frame,
  state: State,
  ends: boolean,
  round: (entry: State, number: number) => Round,
): State | undefined {
  let entry = state
  let out: State | undefined
  const most = f.depth === ONCE ? 1 : MOST_ROUNDS
  for (let number = 0; number < most; number++) {
    const target: Frame['targets'][number] = { isLoop: true }
    f.targets.push(target)
    countStep(a, entry.weight())
    const { exit, end, after } = round(entry.copy(), number)
    f.targets.pop()
    out = meet(meet(out, exit), target.broken)
    let last = meet(end, target.continued)
    if (last && after) last = after(last)
    if (!last) return out
    const next = meet(entry.copy(), last)!
    if (isSettled(entry, next)) return out ?? (ends ? last : undefined)
    entry = next
    if (number === most - 1 && (exit || ends)) out = meet(out, last)
  }
  return out
}

function attempt(a: Analysis, f: Frame, statement: Statement & { kind: 'try' }, state: State): State | undefined {
  // An exception may come between any two statements of the body.
  let broken: State | undefined = state.copy()
  let end: State | undefined = state.copy()
  for (const inner of statement.body) {
    if (!end) break
    end = execute(a, f, inner, end)
    countStep(a, state.weight())
    if (end) broken = meet(broken, end.copy())
  }
  for (const { name, type, body } of statement.handlers) {
    const entry = broken!.copy()
    if (name !== undefined) entry.variables.set(name, type === undefined ? UNKNOWN : { labels: [], type })
    end = meet(end, executeAll(a, f, body, entry))
  }
  if (statement.finally.length === 0) return end
  const last = executeAll(a, f, statement.finally, end ?? broken!.copy())
  return end && last
}

/** Statements in order; undefined where the end is not reached. */
export function executeStatements(
  a: Analysis,
  f: Frame,
  statements: readonly Statement[],
  state: State,
): State | undefined {
  for (const statement of statements) {
    const next = execute(a, f, statement, state)
    if (!next) return undefined
    if (next !== state) state.become(next)
  }
  return state
}
