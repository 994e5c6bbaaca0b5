import type { Directives } from './directives.ts'
import { readNumbers } from './macro-numbers.ts'

/** What a file defines before its functions. */
export interface Macros {
  /** The number that a macro is. */
  number(name: string): number | undefined
  /** Whether a macro of the name takes arguments. */
  isCall(name: string): boolean
  /** Whether a macro that takes arguments leaves the function, whatever it is given. */
  leaves(name: string): boolean
}

const CALL = /define[ \t]+(\w+)\([^)\n]*\)[ \t]*((?:\\\r?\n|[^\n])*)/y

const STOPS = /\b(?:throw|return|goto)\b|\b(?:_?exit|abort|longjmp)\s*\(/

/** What makes it depend on something whether a macro gets to its end; in a function without a name nothing leaves the one around it. */
const DECIDES = /\b(?:if|for|switch|case)\b|\?|&&|\|\||\bwhile\s*\(\s*(?!0|false)|\[[&=\w\s,*]*\]\s*[({]/

/** Texts and comments, in which words are only said. */
const SAID = /"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/** Whether what a macro stands for leaves the function, whatever it is given. */
function isEnd(body: string): boolean {
  const code = body.replace(SAID, ' ')
  return STOPS.test(code) && !DECIDES.test(code)
}

/** The macros of a text, looked for when one is asked about; one that is defined twice is no number. */
export function readMacros(directives: Directives): Macros {
  let numbers: ((name: string) => number | undefined) | undefined
  let calls: Map<string, boolean> | undefined
  /** What takes arguments, and whether it leaves; what is defined twice must leave both times. */
  const called = (): Map<string, boolean> => {
    if (!calls) {
      calls = new Map()
      for (const [, macro, body] of directives.match('define', CALL))
        calls.set(macro!, (calls.get(macro!) ?? true) && isEnd(body!))
    }
    return calls
  }
  return {
    number(name) {
      numbers ??= readNumbers(directives)
      return numbers(name)
    },
    isCall(name) {
      return called().has(name)
    },
    leaves(name) {
      return called().get(name) === true
    },
  }
}
