import type { SinkCondition } from '../../base/records/taint-model.ts'
import type { Analysis } from './analysis.ts'
import { compileExpression } from './expression.ts'
import { findText } from './fold.ts'
import type { Argument } from './ir.ts'
import type { RuleSink } from './knowledge.ts'
import type { State } from './state.ts'
import { UNKNOWN, type Value } from './value.ts'

/** A shell, which takes its arguments for a program. */
export const SHELL = /(?:^|[/\\])(?:sh|bash|zsh|dash|ksh|cmd|powershell|pwsh)(?:\.exe)?$/i

/** The values that must not be input. */
export function selectValues(
  { spec }: RuleSink,
  receiver: Value | undefined,
  args: readonly { argument: Argument; value: Value }[],
  state: State,
): Value[] {
  // Arguments of a program, one by one: as in a list, those of a known one start nothing else.
  if (spec.form === 'command' && !spec.arguments && args.length > 1) {
    const [program] = args
    const name = findText(program && state.whole(program.value).constant)
    if (name !== undefined && !SHELL.test(name)) return []
  }
  const out: Value[] = []
  for (const each of spec.arguments ?? []) {
    const value = each === 'receiver' ? receiver : evaluateArgument(args, each, state)
    if (value) out.push(value)
  }
  return spec.arguments ? out : args.map(({ value }) => value)
}

/** The same, or what stands under a key (`{url}`) of a map among the arguments. */
export function evaluateArgument(
  args: readonly { argument: Argument; value: Value }[],
  which: number | string,
  state: State,
): Value | undefined {
  if (typeof which !== 'string' || !which.startsWith('{')) return findGiven(args, which, state)?.value
  const key = which.slice(1, -1)
  for (const { value } of args) {
    const thing = state.thing(value)
    if (thing?.kind !== 'map' && thing?.kind !== 'object') continue
    const held = (thing.kind === 'map' ? thing.entries : thing.fields).get(key)
    if (held) return held
  }
  return undefined
}

/** Whether every condition on the arguments holds. */
export function allHold(
  a: Analysis,
  conditions: readonly SinkCondition[],
  args: readonly { argument: Argument; value: Value }[],
  state: State,
): boolean {
  return conditions.every(condition => holds(a, condition, args, state))
}

/** An argument by its place among those without a name, or by its name. */
export function findGiven(
  args: readonly { argument: Argument; value: Value }[],
  which: number | string,
  state: State,
): { argument: Argument; value: Value } | undefined {
  if (typeof which === 'string')
    return args.find(({ argument }) => argument.name === which) ?? withinMap(args, which, state)
  let at = 0
  for (const each of args) {
    if (each.argument.name !== undefined) continue
    if (at === which || (each.argument.spread && at <= which)) return each
    at++
  }
  return undefined
}

/** What stands under a name in the map that gives the other arguments (`**options`); anything may, where it is not known. */
function withinMap(
  args: readonly { argument: Argument; value: Value }[],
  name: string,
  state: State,
): { argument: Argument; value: Value } | undefined {
  const more = args.find(({ argument }) => argument.name === '**')
  if (!more) return undefined
  const thing = state.thing(more.value)
  if (thing?.kind !== 'map' || thing.rest) return { ...more, value: { labels: more.value.labels } }
  const value = thing.entries.get(name)
  return value && { ...more, value }
}

function holds(
  a: Analysis,
  { argument, matches, begins, not, may, absent, indirect, written }: SinkCondition,
  args: readonly { argument: Argument; value: Value }[],
  state: State,
): boolean {
  const names = Array.isArray(argument) ? argument : [argument]
  const found = names.map(name => findGiven(args, name, state)).find(value => value !== undefined)
  const given =
    found?.value ?? names.map(name => evaluateArgument(args, name, state)).find(value => value !== undefined)
  if (
    written !== undefined &&
    !(found && compileExpression(written).test(a.text.slice(found.argument.value.start, found.argument.value.end)))
  )
    return false
  if (indirect && found?.argument.value.kind === 'literal') return false
  if (absent !== undefined && (given === undefined) !== absent) return false
  if (begins !== undefined) {
    const { constant, prefix } = given ? state.whole(given) : UNKNOWN
    if (!compileExpression(begins).test(findText(constant) ?? prefix ?? '')) return false
  }
  if (matches === undefined && not === undefined && may === undefined) return true
  const known = given && findText(state.whole(given).constant)
  if (may !== undefined && known !== undefined && !compileExpression(may).test(known)) return false
  if (matches === undefined && not === undefined) return true
  if (known === undefined) return false
  return (
    (matches === undefined || compileExpression(matches).test(known)) &&
    (not === undefined || !compileExpression(not).test(known))
  )
}
