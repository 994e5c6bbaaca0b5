/** A set of words, put together when one is first looked for: a commit hook waits for each that is made beforehand, and asks few of them. */
export class WordSet {
  #words: string
  #set: Set<string> | undefined

  /** `words` are parted by blanks. */
  constructor(words: string) {
    this.#words = words
  }

  has(word: string): boolean {
    this.#set ??= new Set(this.#words.split(' '))
    return this.#set.has(word)
  }
}

export function toSet(words: string): WordSet {
  return new WordSet(words)
}
