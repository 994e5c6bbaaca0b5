/** So often a name is looked for sign by sign; after that it pays to note where each word stands. */
const FEW = 40

const LABEL = /^[ \t]*(\w+)[ \t]*:(?!:)/gm

/** The text of a function from its first brace. */
export class Body {
  readonly text: string
  #asked = 0
  #places: Map<string, number[]> | undefined
  #labels: Map<string, number | undefined> | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Where a name stands next as a word of its own; -1 where it does not. */
  placeOf(name: string, from: number): number {
    if (++this.#asked <= FEW) return next(this.text, name, from)
    this.#places ??= placesIn(this.text)
    const places = this.#places.get(name) ?? []
    let low = 0
    for (let high = places.length; low < high; ) {
      const middle = (low + high) >> 1
      if (places[middle]! < from) low = middle + 1
      else high = middle
    }
    return places[low] ?? -1
  }

  /** The place behind a label; undefined where there is none that begins a line, or more than one. */
  behindLabel(name: string): number | undefined {
    if (!this.#labels) {
      this.#labels = new Map()
      for (const { 0: label, 1: own = '', index } of this.text.matchAll(LABEL))
        this.#labels.set(own, this.#labels.has(own) ? undefined : index + label.length)
    }
    return this.#labels.get(name)
  }
}

function next(text: string, name: string, from: number): number {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '')) return at
  return -1
}

function placesIn(text: string): Map<string, number[]> {
  const out = new Map<string, number[]>()
  for (const { 0: word, index } of text.matchAll(/\w+/g)) {
    const known = out.get(word)
    if (known) known.push(index)
    else out.set(word, [index])
  }
  return out
}
