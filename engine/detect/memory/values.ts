import type { Syntax } from '../taint/languages/syntax.ts'
import type { FunctionAnalysis } from './analysis.ts'
import { collectWords, stripParentheses } from './nodes.ts'
import { type State, unite, type Values } from './state.ts'
import { evaluateConstant } from './variables.ts'

const NOTHING: ReadonlySet<string> = new Set()

const KEPT: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '==': (value, bound) => value === bound,
  '!=': (value, bound) => value !== bound,
}

const TURNED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!=' }

/** Whole numbers that an expression is, by what its variables were set to on the ways there; undefined where one of them is not known. */
export function findValues(analysis: FunctionAnalysis, node: Syntax, s: State): Values | undefined {
  const inner = stripParentheses(node)
  if (inner.kind === 'conditional_expression') {
    const one = inner.field('consequence')
    const [left, right] = [one && findValues(analysis, one, s), findValues(analysis, inner.at('alternative'), s)]
    if (!left || !right) return undefined
    return unite(left, right, collectWords(inner.at('condition').text))
  }
  if (inner.kind === 'identifier') {
    const known = s.values.get(inner.text)
    if (known) return known
  }
  const fixed = analysis.foldConstant(inner)
  if (fixed !== undefined) return { values: [fixed], on: NOTHING }
  const names = [...collectWords(inner.text)].filter(name => s.values.has(name))
  const [name] = names
  // Of two that vary it is not known which value goes with which.
  if (name === undefined || names.length > 1) return undefined
  const { values, on } = s.values.get(name)!
  const out: number[] = []
  for (const value of values) {
    const found = evaluateConstant(
      inner,
      analysis.variables,
      other => analysis.findMacro(other),
      new Map([[name, value]]),
    )
    if (found === undefined) return undefined
    out.push(found)
  }
  return { values: out, on }
}

/** What a condition leaves of the values of the variable in it where it holds, and where it does not; one that asks otherwise leaves nothing. */
export function limitValues(analysis: FunctionAnalysis, node: Syntax, yes: State, no: State): void {
  if (yes.values.size === 0) return
  const sign = node.kind === 'binary_expression' ? node.at('operator').text : undefined
  const isComparison = sign !== undefined && Object.hasOwn(KEPT, sign)
  const left = isComparison ? stripParentheses(node.at('left')) : undefined
  const right = isComparison ? stripParentheses(node.at('right')) : undefined
  for (const name of collectWords(node.text)) {
    const known = yes.values.get(name)
    if (!known) continue
    const isLeft = left?.text === name
    const bound =
      isLeft && right
        ? analysis.foldConstant(right)
        : left && right?.text === name
          ? analysis.foldConstant(left)
          : undefined
    if (bound === undefined) {
      for (const state of [yes, no]) state.values.delete(name)
      continue
    }
    const holds = KEPT[isLeft ? sign! : TURNED[sign!]!]!
    keep(yes, name, known, value => holds(value, bound))
    keep(no, name, known, value => !holds(value, bound))
  }
}

function keep(state: State, name: string, { values, on }: Values, isKept: (value: number) => boolean): void {
  const left = values.filter(isKept)
  if (left.length === 0) state.isDead = true
  else state.values.set(name, { values: left, on })
}
