/** Where a text has preprocessor's directives, by their word. They are found from their sign, since lines are everywhere, and once. */
export class Directives {
  readonly text: string
  readonly #places = new Map<string, readonly number[]>()
  #words: number[] | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Where the word stands as that of a directive. */
  list(word: string): readonly number[] {
    let own = this.#places.get(word)
    if (!own) {
      this.#words ??= listWords(this.text)
      own = this.#words.filter(at => this.text.startsWith(word, at))
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

/** Where the words of directives begin: those before which nothing but a hash stands in a line. */
function listWords(text: string): number[] {
  const out: number[] = []
  for (let hash = text.indexOf('#'); hash !== -1; hash = text.indexOf('#', hash + 1)) {
    const start = skipBack(text, hash)
    if (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) continue
    let at = hash + 1
    while (isBlank(text.charCodeAt(at))) at++
    out.push(at)
  }
  return out
}

function skipBack(text: string, from: number): number {
  let at = from
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--
  return at
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029
}
