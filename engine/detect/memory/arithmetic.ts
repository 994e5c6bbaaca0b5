/** The whole number that a literal of C is; undefined where it is none. */
export function readInteger(literal: string): number | undefined {
  const written = literal.replace(/'/g, '').replace(/[uUlL]+$/, '')
  const value = Number(written.replace(/^0(?=[0-7]+$)/, '0o'))
  return Number.isInteger(value) ? value : undefined
}

/** What an operator of C makes of two whole numbers; undefined where that is no whole number, or one that is not told exactly. */
export function compute(operator: string | undefined, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? undefined : Math.trunc(left / right)
    case '<<':
      return right >= 0 && right < 31 && Math.abs(left) < 2 ** 22 ? left * 2 ** right : undefined
    default:
      return undefined
  }
}
