/** Where a text has preprocessor's directives, by their word. They are found from the word, since lines are everywhere, and once. */
export class Directives {
  readonly text: string
  readonly #places = new Map<string, number[]>()

  constructor(text: string) {
    this.text = text
  }

  /** Where the word stands as that of a directive. */
  list(word: string): readonly number[] {
    let own = this.#places.get(word)
    if (!own) {
      own = []
      for (let at = this.text.indexOf(word); at !== -1; at = this.text.indexOf(word, at + word.length))
        if (isDirective(this.text, at)) own.push(at)
      this.#places.set(word, own)
    }
    return own
  }

  /** What a sticky expression matches at the word of a directive, in the order of the text; what stands in a match is none. */
  *match(word: string, expression: RegExp): Iterable<RegExpExecArray> {
    let behind = 0
    for (const at of this.list(word)) {
      if (at < behind) continue
      expression.lastIndex = at
      const found = expression.exec(this.text)
      if (!found) continue
      behind = at + found[0].length
      yield found
    }
  }
}

const HASH = 35

/** Whether nothing but a hash stands in the line before a place. */
function isDirective(text: string, at: number): boolean {
  const hash = skipBack(text, at) - 1
  if (hash < 0 || text.charCodeAt(hash) !== HASH) return false
  const start = skipBack(text, hash)
  return start === 0 || isLineEnd(text.charCodeAt(start - 1))
}

function skipBack(text: string, from: number): number {
  let at = from
  while (at > 0 && (text.charCodeAt(at - 1) === 32 || text.charCodeAt(at - 1) === 9)) at--
  return at
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029
}
