import {
  type Analysis,
  type DeclaredTypes,
  executeAll,
  type Frame,
  type Hit,
  type Interpreter,
  OutOfSteps,
} from './analysis.ts'
import type { Answers } from './answers.ts'
import { evaluateExpression } from './expressions.ts'
import { DEEPEST, ONCE, runBody } from './functions.ts'
import type { FunctionForm, ModuleForm } from './ir.ts'
import type { Knowledge } from './knowledge.ts'
import type { Outside } from './outside.ts'
import type { Roots } from './roots.ts'
import { SharedMap } from './shared-map.ts'
import { evaluateParameter } from './sources.ts'
import { State } from './state.ts'
import { executeStatements } from './statements.ts'
import { markParameter } from './unknown.ts'
import { UNKNOWN, type Value } from './value.ts'

/** How many steps are given; a step is a statement or an expression. */
export interface Budget {
  /** For one function with all that it calls. */
  one: number
  /** For all functions of a file with what they call; beyond it each is analyzed by itself. */
  file: number
  /** For all functions of a file that are analyzed by themselves. */
  alone: number
}

const BUDGET: Budget = { one: 120_000, file: 300_000, alone: 600_000 }

/** What the analysis of a file came to. */
export interface Analyzed {
  hits: Hit[]
  alone: string[]
  exhausted: string[]
}

/** Makes what a parameter is passed; undefined where nothing is known of it. */
type Passed = ((analysis: Analysis, state: State) => Value) | undefined

/** A constructor, and what it is called with, of the object whose method is analyzed. */
interface Maker {
  form: FunctionForm
  values: readonly Passed[]
}

/** How a file is analyzed, where not by itself. */
interface Options {
  budget?: Budget
  /** How many calls within calls are not followed of those that are otherwise. */
  depth?: number
  handovers?: Analysis['handovers']
  /** What a function is called with elsewhere: a value for each parameter of which something is known. */
  given?: { form: FunctionForm; values: readonly Passed[]; maker?: Maker }
  outside?: Outside | undefined
  answers?: Answers | undefined
  /** Told what a function returned that was analyzed on its own. */
  onReturn?: (analysis: Analysis, form: FunctionForm, value: Value, state: State) => void
}

const INTERPRETER: Interpreter = { evaluate: evaluateExpression, executeAll: executeStatements }

/**
 * The file under these rules: hits in the order of their places, the functions that took too many steps with what they call and were
 * analyzed by themselves, and those that took too many even so. Steps are counted, so that the same text comes to the same on every machine.
 */
export function analyzeFile(
  module: ModuleForm,
  text: string,
  knowledge: Knowledge,
  { forms: roots, giving }: Roots,
  declared: DeclaredTypes = { isSimple: () => false, isEnumeration: () => false },
  { budget = BUDGET, depth: first = 0, handovers, given, outside, answers, onReturn }: Options = {},
): Analyzed {
  const analysis: Analysis = {
    interpreter: INTERPRETER,
    module,
    text,
    knowledge,
    declared,
    classes: new Map(module.classes.map(form => [form.name, form])),
    functions: new Map(module.functions.filter(({ isInner }) => !isInner).map(form => [form.name, form])),
    globals: new SharedMap(),
    globalThings: new SharedMap(),
    fields: new Map(),
    written: new Map(),
    hits: new Map(),
    revocable: new Map(),
    steps: 0,
    budget: budget.one,
    nextRef: 1,
    checked: new Set(),
    copies: new Set(),
    giving,
    handovers,
    outside,
    answers,
    known: new Map(),
    visited: new Set(),
  }
  const [alone, exhausted] = [new Set<string>(), new Set<string>()]
  let [spent, spentAlone] = [0, 0]
  const attempt = (work: () => void): boolean => {
    analysis.steps = 0
    analysis.known.clear()
    const { size } = analysis.visited
    try {
      work()
      return true
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error
      // What was begun last may not have come to its end.
      for (const form of [...analysis.visited].slice(size)) analysis.visited.delete(form)
      return false
    }
  }
  /** Calls within `depth` calls are followed up to a bound: at the bound, none is, and beyond it no loop is repeated. */
  const guarded = (name: string, work: (depth: number) => void): boolean => {
    if (spent < budget.file) {
      const isDone = attempt(() => work(first))
      spent += analysis.steps
      if (isDone) return true
    }
    alone.add(name)
    for (const depth of [DEEPEST, ONCE]) {
      if (spentAlone >= budget.alone) break
      const isDone = attempt(() => work(depth))
      spentAlone += analysis.steps
      if (isDone) return false
    }
    exhausted.add(name)
    return false
  }
  guarded('the file itself', depth => {
    const state = new State()
    const frame: Frame = { self: UNKNOWN, depth, targets: [], active: [] }
    executeAll(analysis, frame, module.body(), state)
    // Where the file ends early (exit, throw) what it had set by then stands.
    analysis.globals = state.variables
    analysis.globalThings = state.things
  })
  const run = (form: FunctionForm): void => {
    if (
      guarded(form.name || 'a function', depth => {
        const state = new State()
        const value = runRoot(analysis, form, depth, given?.form === form ? given : undefined, state)
        onReturn?.(analysis, form, value, state)
      })
    )
      return
    analysis.visited.delete(form)
  }
  for (const form of roots) if (!(form.isInner && analysis.visited.has(form))) run(form)
  // What a method put into a field may reach a sink in another method.
  if (analysis.written.size > 0) {
    for (const form of roots) if (form.owner !== undefined && readsWritten(analysis, form)) run(form)
  }
  const hits = [...analysis.hits.values()].sort((a, b) => a.start - b.start || a.end - b.end || a.rule - b.rule)
  return {
    hits,
    alone: [...alone],
    exhausted: [...exhausted],
  }
}

function readsWritten({ written, text }: Analysis, form: FunctionForm): boolean {
  const own = text.slice(form.start, form.end)
  return [...written.keys()].some(key => {
    const [owner, name] = key.split('.')
    return owner === form.owner && own.includes(name!)
  })
}

/** A function on its own: nothing is known of its arguments but what the frameworks say of them, and what it is passed elsewhere. Answers what it returns. */
function runRoot(
  analysis: Analysis,
  form: FunctionForm,
  depth: number,
  passed: { values: readonly Passed[]; maker?: Maker } | undefined,
  state: State,
): Value {
  let self: Value = UNKNOWN
  if (form.owner !== undefined && !form.isStatic) {
    const ref = analysis.nextRef++
    const fields = new Map<string, Value>()
    for (const [key, value] of analysis.written) {
      const [owner, name] = key.split('.')
      if (owner === form.owner) fields.set(name!, value)
    }
    state.things.set(ref, { kind: 'object', fields })
    self = { labels: [], refs: [ref], type: form.owner }
  }
  if (passed?.maker) {
    const { form: maker, values } = passed.maker
    const given = maker.parameters.map((_, at) => values[at]?.(analysis, state) ?? UNKNOWN)
    runBody(analysis, maker, { given, self, state, variables: new SharedMap(), depth, active: [] })
  }
  const given = form.parameters.map(
    (parameter, at) =>
      passed?.values[at]?.(analysis, state) ??
      markParameter(analysis, form, parameter, evaluateParameter(analysis, form, parameter, UNKNOWN)),
  )
  return runBody(analysis, form, { given, self, state, variables: new SharedMap(), depth, active: [] })
}
