import type { Span } from '../taint/ir.ts'
import { ENDS } from './library.ts'

/** What says of a declaration that its function does not come back, under the names that projects give to it. */
const MARK = /no_?return/gi

/** What a declaration may carry besides: attributes of compilers. */
const ATTRIBUTE =
  /\b__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\b__declspec\s*\([^()]*\)|\[\[[^\]]*\]\]|\b_*no_?return_*\b/gi

/** The head of a declaration: a type, then the name. A call, a `return` or the value of a variable is none. */
const DECLARED = /^\s*(?!\s|(?:return|else|case|goto|do)\b)[\w\s*&:<>]*?[\w*&>][\s*&]+(\w+)\s*\(/

/** No declaration is longer. */
const LONGEST_DECLARATION = 600

/** A body whose last statement is a call, whatever was decided before. */
const LAST_CALL = /[;{}]\s*(?:\(void\)\s*)?(\w+)\s*\([^;{}]*\)\s*;\s*\}$/

/** No last statement is longer. */
const LONGEST_CALL = 400

/**
 * Whether a function that a text of C or C++ declares or defines, by its name, never comes back: it is declared so, or the last thing
 * that it does is to call one that does not. Looked for when one is asked about.
 */
export function findEndings(text: string, functions: readonly Span[]): (name: string) => boolean {
  let declared: Set<string> | undefined
  let last: Map<string, string> | undefined
  const isEnding = (name: string, depth: number): boolean => {
    declared ??= declaredIn(text)
    last ??= lastCalls(text, functions)
    if (declared.has(name)) return true
    const called = last.get(name)
    return called !== undefined && depth > 0 && (ENDS.test(called) || isEnding(called, depth - 1))
  }
  return name => isEnding(name, 4)
}

/** The names of functions that are declared not to come back. */
function declaredIn(text: string): Set<string> {
  const out = new Set<string>()
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const before = text.slice(Math.max(0, index - LONGEST_DECLARATION), index)
    const after = text.slice(index + mark.length, index + LONGEST_DECLARATION)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const end = /[;{}]/.exec(after)?.index
    if (/^\s*#|\/[/*]/.test(line) || end === undefined) continue
    // What stands on a line with `#` before it is no part of the declaration.
    const start = Math.max(...[...before.matchAll(/[;{}]|^[ \t]*#[^\n]*$|\*\//gm)].map(m => m.index + m[0].length), 0)
    const declaration = `${before.slice(start)}${mark}${after.slice(0, end)}`.replace(ATTRIBUTE, ' ')
    const name = DECLARED.exec(declaration)?.[1]
    if (name !== undefined) out.add(name)
  }
  return out
}

/** Of the functions that never return by a statement and end with a call: what that calls. */
function lastCalls(text: string, functions: readonly Span[]): Map<string, string> {
  const out = new Map<string, string>()
  for (const { start, end } of functions) {
    const called = LAST_CALL.exec(text.slice(Math.max(start, end - LONGEST_CALL), end))?.[1]
    if (called === undefined) continue
    const own = text.slice(start, end)
    const name = /(\w+)\s*\(/.exec(own)?.[1]
    // A conditional line may take the call away.
    if (name !== undefined && !/\b(?:return|goto)\b|^[ \t]*#/m.test(own.slice(own.indexOf('{')))) out.set(name, called)
  }
  return out
}
