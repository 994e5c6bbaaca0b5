import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Expression, FunctionForm, Span } from '../ir.ts'
import { makeLiteral, toSpan } from './tree.ts'

/** The operators that languages with the syntax of C share. */
export const C_OPERATORS: Record<string, BinaryOperator> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '%': '%',
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '&&': 'and',
  '||': 'or',
}

/** The same where the quotient of whole numbers is whole: numbers in conditions nearly always are. */
export const WHOLE_OPERATORS: Record<string, BinaryOperator> = { ...C_OPERATORS, '/': '//' }

/** `target++` or, with the other sign, `target--`; that one of the two is worth the number before makes no difference here. */
export function makeStep(target: Expression, sign: string, span: Span): Expression {
  return { kind: 'assign', target, operator: sign === '++' ? '+' : '-', value: makeLiteral(span, 1), ...span }
}

/** A function that is named where a value is asked for (`this::run`): a lambda that calls it with one argument. */
export function makeReference(callee: Expression, span: Span): Expression {
  const value: Expression = { kind: 'call', callee, args: [{ value: { kind: 'name', name: 'it', ...span } }], ...span }
  const form: FunctionForm = {
    ...span,
    name: '',
    parameters: [{ ...span, name: 'it', decorators: [] }],
    decorators: [],
    isStatic: false,
    body: () => [{ kind: 'return', value, ...span }],
  }
  return { kind: 'function', function: form, ...span }
}

/** Reads the text under nodes; the adapters' classes for expressions, statements and files extend each other from here. */
export abstract class Lowering {
  protected readonly text: string

  constructor(text: string) {
    this.text = text
  }

  abstract expression(node: SgNode): Expression

  of(node: SgNode): string {
    const { start, end } = toSpan(node)
    return this.text.slice(start, end)
  }

  field(node: SgNode, name: string): SgNode | undefined {
    return (node.field(name) as SgNode | null) ?? undefined
  }

  /** `left operator right`, for nodes with fields of these names; what is no operator of the table works on bits. */
  protected binary(node: SgNode, operators: Record<string, BinaryOperator>): Expression {
    const sign = this.of(node.field('operator') as SgNode)
    return {
      kind: 'binary',
      operator: operators[sign] ?? 'bits',
      left: this.expression(node.field('left') as SgNode),
      right: this.expression(node.field('right') as SgNode),
      ...toSpan(node),
    }
  }
}
