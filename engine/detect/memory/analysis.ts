import type { Defect } from '../../base/records/rule.ts'
import type { Span } from '../taint/ir.ts'
import type { Syntax } from '../taint/languages/syntax.ts'
import { EXPRESSIONS } from './expressions.ts'
import type { Macros } from './macros.ts'
import { collectAddressed } from './nodes.ts'
import { forgetNames, type Worth } from './pointers.ts'
import type { State } from './state.ts'
import { evaluateOther, STATEMENTS } from './statements.ts'
import { evaluateConstant, type Variable } from './variables.ts'

/** A defect of a function, and the locations that led to it, the last of them where it occurs. */
export interface Report extends Span {
  defect: Defect
  flow: (Span & { label: string })[]
  /** The function of another file that is called at the place. */
  by?: string | undefined
}

/** What the file around a function says of the names in it. */
export interface FileKnowledge {
  macros: Macros
  /** Whether a function of the name never returns. */
  isEnding(name: string): boolean
  /** The numbers of the parameters that functions of the file free, whatever happens, and that functions of other files do. */
  releases: ReadonlyMap<string, { parameter: number }>
  elsewhere: ReadonlyMap<string, number>
}

/** What leaves a loop or a switch early, and what goes round again. */
export interface Target {
  isLoop: boolean
  /** Of a switch: what decides which of its branches is taken. */
  on?: () => ReadonlySet<string>
  broken: State | undefined
  continued: State | undefined
}

/** Steps that one function may take; a step is a node of its tree. */
export const MOST_STEPS = 20_000

/** Steps that the functions of a file may take together: they are counted, so that the same text comes to the same under any load. */
export const MOST_STEPS_OF_FILE = 100_000

/** What is left of them. */
export interface Left {
  steps: number
}

/** Thrown where a function takes more. */
export class TooLong extends Error {}

/** The convention for names of macros. */
const CAPITALS = /^[A-Z_][A-Z0-9_]*$/

/** Statements that are reached by a jump, though what is before them leaves. */
const REACHED_BY_JUMP = new Set(['labeled_statement', 'compound_statement', 'case_statement'])

/**
 * The analysis of one function: what is known of its names, what was found in it, and the entrances to the tables of what each kind
 * of expression (expressions.ts) and statement (statements.ts) does. What is known at a location of the function is a `State`.
 */
export class FunctionAnalysis {
  /** The function as it is written. */
  readonly text: string
  readonly found = new Map<string, Report>()
  readonly variables = new Map<string, Variable>()
  /** What the blocks around a location declare, the innermost last. */
  readonly scopes: Map<string, Variable>[] = []
  /** States that jump to a label that is still to come. */
  readonly pending = new Map<string, State>()
  /** The loops and switches around a location, the innermost last. */
  readonly targets: Target[] = []
  /** For each variable the names that its values are made of, once a condition asks. */
  madeOf: Map<string, Set<string>> | undefined
  /** The name of the function. */
  name = ''
  /** Only what stands in the same file calls it. */
  isStatic = false
  /** Macros were replaced in its text. */
  readonly isExpanded: boolean
  readonly #file: FileKnowledge
  readonly #left: Left
  /** Names whose address somebody has: nothing is known of them. */
  readonly #addressed: ReadonlySet<string>
  /** Names found in a part of the function, by its span: loops around it ask again and again. */
  readonly #names = new Map<string, ReadonlySet<string>>()
  #steps = 0

  /** `left` is counted down. */
  constructor(text: string, file: FileKnowledge, left: Left, isExpanded: boolean) {
    this.text = text
    this.isExpanded = isExpanded
    this.#file = file
    this.#left = left
    this.#addressed = collectAddressed(text)
  }

  /** Evaluates an expression whose value is used. */
  evaluate(node: Syntax, s: State): Worth {
    this.countStep()
    if (s.isDead) return undefined
    const evaluate = EXPRESSIONS.get(node.kind)
    return evaluate ? evaluate(this, node, s) : forgetNames(node, s)
  }

  /** Walks a statement: `s` becomes what is known behind it. */
  walk(node: Syntax, s: State): void {
    this.countStep()
    if (s.isDead && !REACHED_BY_JUMP.has(node.kind)) return
    const walk = STATEMENTS.get(node.kind) ?? evaluateOther
    walk(this, node, s)
  }

  /** Counts a node. @throws TooLong where there were too many. */
  countStep(): void {
    if (++this.#steps > MOST_STEPS || --this.#left.steps < 0) throw new TooLong()
  }

  /** Reports a defect; the same location once. */
  report(defect: Defect, { start, end }: Span, flow: Report['flow']): void {
    const key = `${defect}:${start}:${end}`
    if (!this.found.has(key)) this.found.set(key, { defect, start, end, flow })
  }

  /** Reports that what was allocated is lost: one defect, at the first location where the function is left without its release. */
  reportLost(defect: Defect, { start, end }: Span, allocated: Report['flow'][number]): void {
    const key = `${defect} of ${allocated.start}`
    const known = this.found.get(key)
    if (!known || start < known.start) this.found.set(key, { defect, start, end, flow: [allocated] })
  }

  foldConstant(node: Syntax): number | undefined {
    return evaluateConstant(node, this.variables, name => this.#file.macros.number(name))
  }

  /** The number of the parameter that a function of the file frees, whatever happens. */
  findReleased(name: string): number | undefined {
    return name === this.name ? undefined : this.#file.releases.get(name)?.parameter
  }

  /** The number of the parameter that a function of another file frees, whatever happens; what the function declares under the name is none. */
  findReleasedElsewhere(name: string): number | undefined {
    return name === this.name || this.variables.has(name) ? undefined : this.#file.elsewhere.get(name)
  }

  /** The number that a macro of the file is. */
  findMacro(name: string): number | undefined {
    return this.#file.macros.number(name)
  }

  /** Whether something can be known of the name. */
  isTracked(name: string): boolean {
    const variable = this.variables.get(name)
    return variable !== undefined && variable.kind !== 'array' && !this.#addressed.has(name)
  }

  isPointer(name: string): boolean {
    return this.variables.get(name)?.kind === 'pointer'
  }

  isAddressed(name: string): boolean {
    return this.#addressed.has(name)
  }

  /** Whether what is called so is no function: it may do anything with the names around it. */
  isMacro(name: string): boolean {
    return CAPITALS.test(name) || this.#file.macros.isCall(name)
  }

  /** Whether what is called so is a macro by its name, and is not defined in the file. */
  isUnseenMacro(name: string): boolean {
    return CAPITALS.test(name) && !this.#file.macros.isCall(name) && this.#file.macros.number(name) === undefined
  }

  /** Whether a macro of the file leaves the function, or a function of it never returns. */
  isEnding(name: string): boolean {
    return this.#file.macros.leaves(name) || this.#file.isEnding(name)
  }

  /** Whether the function asks for the length of the string, or compares it, or has it filled with so little that it fits. */
  isMeasured(name: string, to: string, room: number): boolean {
    const filled = new RegExp(`\\b(?:fgets|v?snprintf)\\s*\\(\\s*${name}\\s*,\\s*(\\d+)\\s*,`).exec(this.text)?.[1]
    if (filled !== undefined && Number(filled) <= room) return true
    return new RegExp(
      `(?:len|cmp|size)\\w*\\s*\\([^;]*\\b${name}\\b|\\b${name}\\s*,\\s*sizeof\\s*\\(?\\s*${to}\\b`,
    ).test(this.text)
  }

  /** The names that are found in a part of the function, searched for once. */
  findNames(node: Syntax, find: (text: string) => Iterable<string>): ReadonlySet<string> {
    const key = `${node.start}:${node.end}`
    const known = this.#names.get(key) ?? new Set(find(node.text))
    this.#names.set(key, known)
    return known
  }
}
