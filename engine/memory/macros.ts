/** What a file defines before its functions. */
export interface Macros {
  /** The number that a macro is. */
  number(name: string): number | undefined
  /** Whether a macro of the name takes arguments. */
  isCall(name: string): boolean
}

const NUMBER = /^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?(0[xX][\da-fA-F]+|\d+)[uUlL]*\)?[ \t]*(?:\/[/*][^\n]*)?$/gm

/** The macros of a text, looked for when one is asked about; one that is defined twice is no number. */
export function macrosOf(text: string): Macros {
  let numbers: Map<string, number | undefined> | undefined
  let calls: Set<string> | undefined
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
      calls ??= new Set([...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)\(/gm)].map(([, macro]) => macro!))
      return calls.has(name)
    },
  }
}
