import type { Answers } from './answers.ts'
import type { Handover } from './handovers.ts'
import type { ClassForm, Expression, FunctionForm, ModuleForm, Span, Statement } from './ir.ts'
import type { Knowledge, RuleSink } from './knowledge.ts'
import type { Outside } from './outside.ts'
import type { SharedMap } from './shared-map.ts'
import type { State, Thing } from './state.ts'
import type { Value } from './value.ts'

/** A sink that input reaches, or a fixed argument that it must not have. Offsets in the text. */
export interface Hit extends Span {
  rule: number
  /** From the source to the sink; empty for a fixed argument. */
  flow: { start: number; end: number; label: string }[]
  /** The value went through code that cannot be seen. */
  unsure: boolean
  /** The kind of source that it comes from; left out for a fixed argument. */
  kind?: string
}

/** What a file declares of types; found out when it is asked. */
export interface DeclaredTypes {
  /** Whether a value of the type can hold no text. */
  isSimple(type: string): boolean
  isEnumeration(name: string): boolean
}

/** What is being analysed, and what came of it so far. */
export interface Analysis {
  interpreter: Interpreter
  module: ModuleForm
  text: string
  knowledge: Knowledge
  classes: ReadonlyMap<string, ClassForm>
  /** What the file says of types that it declares. */
  declared: DeclaredTypes
  functions: ReadonlyMap<string, FunctionForm>
  /** Variables outside functions, as they are once the file has been read. */
  globals: SharedMap<string, Value>
  /** Collections that these variables are, by their numbers. */
  globalThings: SharedMap<number, Thing>
  /** Values of fixed fields, by class and name; undefined while being found out. */
  fields: Map<string, Value | undefined>
  /** What methods wrote to fields of their own object, by class and name. */
  written: Map<string, Value>
  hits: Map<string, Hit>
  /** Hits that a setting made after them takes back, by their keys. */
  revocable: Map<string, RuleSink>
  steps: number
  budget: number
  nextRef: number
  /** Under which it was kept, in any state, that a member was checked that stands for itself like a variable. */
  checked: Set<string>
  /** Under which it was kept, in any state, that a variable was declared as another one. */
  copies: Set<string>
  /** Functions that input may come out of although none goes in. */
  giving: ReadonlySet<FunctionForm>
  /** Where input that is passed to functions of other files is noted, of these kinds of source; undefined where nobody asks. */
  handovers: { kinds: ReadonlySet<string>; found: Map<string, Handover>; isCut?: true } | undefined
  /** What is known of functions of other files; undefined where nothing is. */
  outside: Outside | undefined
  /** Watches what a function answers about its parameter; undefined where nobody asks. */
  answers: Answers | undefined
  /** Functions that were carried out. */
  visited: Set<FunctionForm>
  /** What functions gave that changed nothing, by their arguments; `self` is the object as it was. */
  known: Map<string, { value: Value; self: Thing | undefined }>
}

/** A function at work. */
export interface Frame {
  function?: FunctionForm
  /** Class whose method it is. */
  owner?: string
  self: Value
  depth: number
  /** What it returned so far, and the states at its ends. */
  returned?: Value
  /** What a generator gave so far. */
  yielded?: Value
  ends?: State
  /** Loops and switches around the statement, innermost last. */
  targets: { label?: string; isLoop: boolean; broken?: State; continued?: State }[]
  /** Functions being carried out, this one included. */
  active: readonly FunctionForm[]
}

/** Thrown where a function takes more steps than it is given. */
export class OutOfSteps extends Error {}

/** Steps taken; throws where there have been too many. */
export function countStep(analysis: Analysis, count = 1): void {
  analysis.steps += count
  if (analysis.steps > analysis.budget) throw new OutOfSteps()
}

/** The two halves of the interpreter. They know each other through the analysis alone. */
export interface Interpreter {
  evaluate(a: Analysis, f: Frame, expression: Expression, state: State): Value
  executeAll(a: Analysis, f: Frame, statements: readonly Statement[], state: State): State | undefined
}

/** The value of an expression; what it changes is changed in the state. */
export function evaluate(a: Analysis, f: Frame, expression: Expression, state: State): Value {
  return a.interpreter.evaluate(a, f, expression, state)
}

/** Statements in order; undefined where the end is not reached. */
export function executeAll(a: Analysis, f: Frame, statements: readonly Statement[], state: State): State | undefined {
  return a.interpreter.executeAll(a, f, statements, state)
}
