import type { BinaryOperator } from '../ir.ts'

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
