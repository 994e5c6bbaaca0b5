/** The literals that stand in one text, and where its anchors begin. */
export class Sightings {
  /** The text in which each literal was met last, by number. */
  readonly #seen: Int32Array
  #text = 0
  /** Those of the text that is read, each once. */
  readonly literals: number[] = []
  #places: Int32Array
  #placed = 0

  constructor(literals: number, asksForAnchors: boolean) {
    this.#seen = new Int32Array(literals)
    this.#places = new Int32Array(asksForAnchors ? 1024 : 0)
  }

  /** Another text is read: nothing was met in it yet. */
  begin(): void {
    this.#text++
    this.literals.length = 0
    this.#placed = 0
  }

  has(literal: number): boolean {
    return this.#seen[literal] === this.#text
  }

  /** A literal that the text was not known to have. */
  meet(literal: number): void {
    this.#seen[literal] = this.#text
    this.literals.push(literal)
  }

  /** Where an anchor begins; they come in the order of their ends. */
  place(at: number): void {
    if (this.#placed === this.#places.length) {
      const larger = new Int32Array(this.#placed * 2)
      larger.set(this.#places)
      this.#places = larger
    }
    this.#places[this.#placed++] = at
  }

  /** Good until the next text. */
  get places(): Int32Array {
    return this.#places.subarray(0, this.#placed)
  }
}
