/** Where the characters of a text that was made of pieces of another stand in that. */
export class Origins {
  readonly #places = [0]
  readonly #origins = [0]

  /** A piece begins; in the order of the text. */
  begin(place: number, origin: number): void {
    this.#places.push(place)
    this.#origins.push(origin)
  }

  of(offset: number): number {
    let low = 0
    let high = this.#places.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#places[middle]! > offset) high = middle - 1
      else low = middle
    }
    return this.#origins[low]! + offset - this.#places[low]!
  }
}
