/** A map whose copies cost nothing until one of them is changed. */
export class SharedMap<K, V> {
  #map: Map<K, V>
  #isShared = false

  constructor(entries?: Iterable<readonly [K, V]>) {
    this.#map = new Map(entries)
  }

  get size(): number {
    return this.#map.size
  }

  get(key: K): V | undefined {
    return this.#map.get(key)
  }

  has(key: K): boolean {
    return this.#map.has(key)
  }

  set(key: K, value: V): this {
    this.#own()
    this.#map.set(key, value)
    return this
  }

  delete(key: K): boolean {
    if (!this.#map.has(key)) return false
    this.#own()
    return this.#map.delete(key)
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#map[Symbol.iterator]()
  }

  copy(): SharedMap<K, V> {
    const other = new SharedMap<K, V>()
    other.#map = this.#map
    other.#isShared = true
    this.#isShared = true
    return other
  }

  /** Whether neither was changed since one was a copy of the other. */
  isAs(other: SharedMap<K, V>): boolean {
    return this.#map === other.#map
  }

  #own(): void {
    if (!this.#isShared) return
    this.#map = new Map(this.#map)
    this.#isShared = false
  }
}
