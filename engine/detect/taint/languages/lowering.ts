import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Expression, FunctionForm, Span, Statement } from '../ir.ts'
import { listNamedChildren, makeLiteral, toSpan } from './tree.ts'

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
export function makeReference(callee: Expression, { start, end }: Span): Expression {
  const span = { start, end }
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

/** Lowers one kind of node of a file. */
export type Lower<File, Form> = (file: File, node: SgNode, span: Span) => Form

/** What lowers each kind of node of a file. */
export type Table<File, Form> = (kind: string) => Lower<File, Form>

/** A file of any language, whose nodes are lowered. */
export type LoweredFile = Pick<Lowering, 'expression' | 'of' | 'statement'>

/**
 * A file that is lowered. A language has a table of its expressions and one of its statements, whose functions are given the file,
 * and a class that extends this one: what is known of the file, and what declares functions and classes.
 */
export abstract class Lowering {
  readonly text: string
  protected abstract readonly expressions: Table<this, Expression>
  protected abstract readonly statements: Table<this, Statement[]>

  constructor(text: string) {
    this.text = text
  }

  expression(node: SgNode): Expression {
    return this.expressions(node.kind() as string)(this, node, toSpan(node))
  }

  statement(node: SgNode): Statement[] {
    return this.statements(node.kind() as string)(this, node, toSpan(node))
  }

  /** Lowers the expression in a field that the grammar always gives. */
  lowerField(node: SgNode, name: string): Expression {
    return this.expression(node.field(name) as SgNode)
  }

  of(node: SgNode): string {
    return node.text()
  }

  field(node: SgNode, name: string): SgNode | undefined {
    return (node.field(name) as SgNode | null) ?? undefined
  }

  /** `left operator right`, for nodes with fields of these names; what is no operator of the table works on bits. */
  binary(node: SgNode, operators: Record<string, BinaryOperator>): Expression {
    const sign = this.of(node.field('operator') as SgNode)
    return {
      kind: 'binary',
      operator: operators[sign] ?? 'bits',
      left: this.lowerField(node, 'left'),
      right: this.lowerField(node, 'right'),
      ...toSpan(node),
    }
  }
}

/** An expression of which nothing is known but what it is made of. */
export function lowerUnknown(file: LoweredFile, node: SgNode, span: Span): Expression {
  return { kind: 'unknown', parts: listNamedChildren(node).map(child => file.expression(child)), ...span }
}

/** An expression that is a statement. */
export function lowerAsStatement(file: LoweredFile, node: SgNode, span: Span): Statement[] {
  return [{ kind: 'expression', value: file.expression(node), ...span }]
}

/** Expressions that are statements together. */
export function lowerEachAsStatement(file: LoweredFile, node: SgNode, span: Span): Statement[] {
  return listNamedChildren(node).map(child => ({ kind: 'expression', value: file.expression(child), ...span }))
}

/** The statements in a block. */
export function lowerBlock(file: LoweredFile, node: SgNode | undefined): Statement[] {
  return node ? listNamedChildren(node).flatMap(child => file.statement(child)) : []
}

/** What is worth what stands in it (`(x)`). */
export function lowerInner(file: LoweredFile, node: SgNode, span: Span): Expression {
  const [inner] = listNamedChildren(node)
  return inner ? file.expression(inner) : makeLiteral(span, null)
}

/** A number, whose digits may have `_` between them. */
export function lowerNumber(file: LoweredFile, node: SgNode, span: Span): Expression {
  const value = Number(file.of(node).replaceAll('_', ''))
  return Number.isNaN(value) ? { kind: 'unknown', parts: [], ...span } : makeLiteral(span, value)
}
