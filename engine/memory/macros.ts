/** What a file defines before its functions. */
export interface Macros {
  /** The number that a macro is. */
  number(name: string): number | undefined
  /** Whether a macro of the name takes arguments. */
  isCall(name: string): boolean
  /** Whether a macro that takes arguments leaves the function, whatever it is given. */
  leaves(name: string): boolean
}

const NUMBER = /^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?(0[xX][\da-fA-F]+|\d+)[uUlL]*\)?[ \t]*(?:\/[/*][^\n]*)?$/gm

const CALL = /^[ \t]*#[ \t]*define[ \t]+(\w+)\([^)\n]*\)[ \t]*((?:\\\r?\n|[^\n])*)/gm

const STOPS = /\b(?:throw|return|goto)\b|\b(?:_?exit|abort|longjmp)\s*\(/

/** What makes it depend on something whether a macro gets to its end. */
const DECIDES = /\b(?:if|for|switch|case)\b|\?|&&|\|\||\bwhile\s*\(\s*(?!0|false)/

/** The macros of a text, looked for when one is asked about; one that is defined twice is no number. */
export function macrosOf(text: string): Macros {
  let numbers: Map<string, number | undefined> | undefined
  let calls: Map<string, boolean> | undefined
  /** What takes arguments, and whether it leaves; what is defined twice must leave both times. */
  const called = (): Map<string, boolean> => {
    if (!calls) {
      calls = new Map()
      for (const [, macro, body] of text.matchAll(CALL))
        calls.set(macro!, (calls.get(macro!) ?? true) && STOPS.test(body!) && !DECIDES.test(body!))
    }
    return calls
  }
  return {
    number(name) {
      if (!numbers) {
        numbers = new Map()
        for (const [, macro, value] of text.matchAll(NUMBER))
          numbers.set(macro!, numbers.has(macro!) ? undefined : Number(value!.replace(/^0(?=[0-7]+$)/, '0o')))
      }
      return numbers.get(name)
    },
    isCall(name) {
      return called().has(name)
    },
    leaves(name) {
      return called().get(name) === true
    },
  }
}
