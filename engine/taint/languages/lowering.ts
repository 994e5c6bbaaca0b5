import type { SgNode } from '@ast-grep/napi'
import type { BinaryOperator, Expression } from '../ir.ts'
import { spanOf } from './tree.ts'

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

/** Reads the text under nodes; the adapters' classes for expressions, statements and files extend each other from here. */
export abstract class Lowering {
  protected readonly text: string

  constructor(text: string) {
    this.text = text
  }

  abstract expression(node: SgNode): Expression

  of(node: SgNode): string {
    const { start, end } = spanOf(node)
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
      ...spanOf(node),
    }
  }
}
