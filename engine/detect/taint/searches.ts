import type { Expression, Statement } from './ir.ts'

/** What a call asks of the elements of a collection: whether one of them is what was `compared` with it. */
export interface Search {
  among: Expression
  compared: Expression[]
}

/** Methods that ask whether a function holds for one element. */
const SEARCHES = /^(?:some|any\??|Any|anyMatch|exists|Exists)$/

/** Methods by which a text is said to be, or to begin with, another one. That it stands somewhere in it says nothing. */
const SAME = /^(?:starts?_?with\??|startsWith|StartsWith|equals|equalsIgnoreCase|Equals|eql\?)$/

/**
 * `known.some(each => each === text)`, `any(text.startswith(each) for each in known)`: undefined for every other call, and for a
 * function that does more than compare. A function of its own name is taken for a comparison of what it is given.
 */
export function findSearch({ callee, args }: Expression & { kind: 'call' }): Search | undefined {
  const only = args.length === 1 ? args[0]!.value : undefined
  if (only?.kind === 'function' && callee.kind === 'member' && SEARCHES.test(callee.name)) {
    const { parameters, body } = only.function
    const asked = parameters.length === 1 ? answerOf(body()) : undefined
    return asked && { among: collectionOf(callee.object), compared: comparedWith(parameters[0]!.name, asked) }
  }
  if (only?.kind === 'comprehension' && callee.kind === 'name' && callee.name === 'any') {
    const [loop, ...more] = only.loops
    if (loop?.target.kind !== 'name' || more.length > 0) return undefined
    return { among: loop.source, compared: comparedWith(loop.target.name, only.value) }
  }
  return undefined
}

/** What a stream of Java runs over. */
function collectionOf(expression: Expression): Expression {
  const callee = expression.kind === 'call' && expression.args.length === 0 ? expression.callee : undefined
  return callee?.kind === 'member' && callee.name === 'stream' ? callee.object : expression
}

/** The value of a function that does nothing but answer. */
function answerOf([statement, ...more]: Statement[]): Expression | undefined {
  if (more.length > 0) return undefined
  return statement?.kind === 'return' || statement?.kind === 'expression' ? statement.value : undefined
}

function comparedWith(element: string, asked: Expression): Expression[] {
  const isElement = (each: Expression) => each.kind === 'name' && each.name === element
  if (asked.kind === 'binary' && asked.operator === '==') {
    if (isElement(asked.left)) return [asked.right]
    return isElement(asked.right) ? [asked.left] : []
  }
  if (asked.kind !== 'call') return []
  const given = asked.args.map(({ value }) => value)
  if (asked.callee.kind === 'member' && SAME.test(asked.callee.name)) given.push(asked.callee.object)
  else if (asked.callee.kind !== 'name') return []
  return given.some(isElement) ? given.filter(each => !isElement(each)) : []
}
