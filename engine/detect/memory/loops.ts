import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis, Target } from './analysis.ts'
import { evaluateCondition, splitCondition } from './conditions.ts'
import { collectWords, listFlags, setIn } from './nodes.ts'
import { type Fact, makeFact, meet, NULL, OTHER, type State, UNSET } from './state.ts'

/** Walks a loop whose head is a macro. */
export function walkMacroLoop(analysis: FunctionAnalysis, head: Syntax, body: Syntax, s: State): void {
  const outer = s.copy()
  for (const name of collectWords(head.text)) outer.forget(name)
  const target: Target = { isLoop: true, broken: undefined, continued: undefined }
  analysis.targets.push(target)
  analysis.walk(body, outer.copy())
  analysis.targets.pop()
  for (const name of collectWords(body.text)) outer.forget(name)
  s.become(outer)
}

/** Walks a loop: two rounds show what one leaves to the next. */
export function walkLoop(
  analysis: FunctionAnalysis,
  node: Syntax,
  s: State,
  init: Syntax | undefined,
  condition: Syntax | undefined,
  update: Syntax | undefined,
  atLeastOnce: boolean,
): void {
  if (init) {
    if (/statement$|^declaration$/.test(init.kind)) analysis.walk(init, s)
    else analysis.evaluate(init, s)
  }
  for (const name of analysis.findNames(node, setIn)) s.values.delete(name)
  // What one round sets the next may read.
  let set: ReadonlySet<string> | undefined
  for (const [name, known] of s.facts) {
    if (!(known.mask & UNSET)) continue
    set ??= new Set([...node.text.matchAll(/\b([A-Za-z_]\w*)\s*=(?!=)/g)].map(([, given]) => given!))
    if (set.has(name)) s.facts.set(name, makeFact(OTHER, known.at))
  }
  const target: Target = { isLoop: true, broken: undefined, continued: undefined }
  analysis.targets.push(target)
  const body = node.at('body')
  let exit: State | undefined
  let at = s.copy()
  for (let round = 0; round < 2 && !at.isDead; round++) {
    if (condition && !(atLeastOnce && round === 0)) {
      const [yes, no] = splitCondition(analysis, condition, at)
      // That it is carried out at least once is taken for granted.
      if (round > 0) exit = exit ? meet(exit, no) : no
      at = yes
    }
    // What the loop sets is not in every round what it was before.
    if (round === 0)
      addDependence(
        at,
        (name, _, names) => names.has(name),
        () => analysis.findNames(node, setIn),
      )
    analysis.walk(body, at)
    at = target.continued ? meet(at, target.continued) : at
    target.continued = undefined
    if (update && !at.isDead) analysis.evaluate(update, at)
    // A flag that is set together with something has the loop end before that is done again.
    if (!at.isDead)
      addDependence(
        at,
        (name, known) => known !== s.facts.get(name),
        () => analysis.findNames(body, listFlags),
      )
  }
  analysis.targets.pop()
  if (condition && !at.isDead)
    exit = exit ? meet(exit, splitCondition(analysis, condition, at)[1]) : splitCondition(analysis, condition, at)[1]
  if (target.broken) exit = exit ? meet(exit, target.broken, () => collectWords(node.text)) : target.broken
  if (!exit) {
    s.isDead = true
    return
  }
  // Whether something was set depends on how the rounds went.
  for (const [name, known] of exit.facts)
    if ((known.mask & UNSET && known.mask !== UNSET) || known.mask === (NULL | OTHER))
      exit.facts.set(name, makeFact(OTHER, known.at))
  for (const name of analysis.findNames(node, setIn)) exit.values.delete(name)
  s.become(exit)
}

/** Walks a switch. */
export function walkSwitch(analysis: FunctionAnalysis, node: Syntax, s: State): void {
  const condition = node.at('condition')
  evaluateCondition(analysis, condition, s)
  const before = s.copy()
  const on = () => new Set([...collectWords(condition.text), ...setIn(node.text)])
  const target: Target = { isLoop: false, on, broken: undefined, continued: undefined }
  analysis.targets.push(target)
  let at = before.copy()
  at.isDead = true
  const cases = node.at('body').parts.filter(({ kind }) => kind === 'case_statement')
  for (const part of cases) {
    at = meet(at, before.copy())
    for (const inner of part.parts.slice(part.field('value') ? 1 : 0)) analysis.walk(inner, at)
  }
  analysis.targets.pop()
  const past = cases.some(part => !part.field('value')) ? at : meet(at, before, on)
  s.become(target.broken ? meet(past, target.broken, on) : past)
  for (const [name, known] of s.facts)
    if (known.mask & UNSET && known.mask !== UNSET) s.facts.set(name, makeFact(OTHER, known.at))
}

/** Leaves the innermost loop or switch, or begins its next round. */
export function jumpOut(analysis: FunctionAnalysis, isBreak: boolean, s: State): void {
  const target = isBreak ? analysis.targets.at(-1) : analysis.targets.findLast(({ isLoop }) => isLoop)
  if (target) {
    const key = isBreak ? 'broken' : 'continued'
    const before = target[key]
    target[key] = before ? meet(before, s.copy(), target.on) : s.copy()
  }
  s.isDead = true
}

/** What is known of variables that a condition chooses, but for the ones of which nothing is, depends on the names as well. */
function addDependence(
  s: State,
  chosen: (name: string, known: Fact, names: ReadonlySet<string>) => boolean,
  names: () => ReadonlySet<string>,
): void {
  for (const [name, known] of s.facts)
    if (known.mask !== OTHER && chosen(name, known, names()))
      s.facts.set(name, { ...known, on: new Set([...known.on, ...names()]) })
}
