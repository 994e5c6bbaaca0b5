/** Stands for a key that was removed. */
const GONE = Symbol('gone')

/**
 * A map whose copies cost nothing until one of them is changed, and then as much as was changed before. What maps that came of one have in
 * common is told apart from what each changed, so that two of them are compared by their changes alone.
 */
export class SharedMap<K, V extends object> {
  /** Not this map's own while it has changes: others may have it too. */
  #base = new Map<K, V>()
  #changes: Map<K, V | typeof GONE> | undefined
  /** Whether a copy has the changes too, or the base where there are none. */
  #isShared = false
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: K): V | undefined {
    const changed = this.#changes?.get(key)
    if (changed === undefined) return this.#base.get(key)
    return changed === GONE ? undefined : changed
  }

  has(key: K): boolean {
    return this.get(key) !== undefined
  }

  set(key: K, value: V): this {
    this.#own()
    if (!this.has(key)) this.#size++
    if (this.#changes) this.#changes.set(key, value)
    else this.#base.set(key, value)
    return this
  }

  delete(key: K): boolean {
    if (!this.has(key)) return false
    this.#own()
    this.#size--
    if (!this.#changes) this.#base.delete(key)
    else if (this.#base.has(key)) this.#changes.set(key, GONE)
    else this.#changes.delete(key)
    return true
  }

  /** In no order that says anything. */
  [Symbol.iterator](): IterableIterator<[K, V]> {
    return (this.#changes ? this.#merge() : this.#base)[Symbol.iterator]()
  }

  copy(): SharedMap<K, V> {
    const other = new SharedMap<K, V>()
    other.#base = this.#base
    other.#changes = this.#changes
    other.#size = this.#size
    other.#isShared = true
    this.#isShared = true
    return other
  }

  /** Whether neither was changed since one was a copy of the other. */
  isAs(other: SharedMap<K, V>): boolean {
    return this.#base === other.#base && this.#changes === other.#changes
  }

  /** The keys under which one of the two has something else than the other, or that one of them has alone. */
  listDifferent(other: SharedMap<K, V>): K[] {
    if (this.isAs(other)) return []
    const [own, others] = this.#base === other.#base ? [this.#changes, other.#changes] : [this.#merge(), other.#merge()]
    const keys: K[] = []
    for (const key of own?.keys() ?? []) if (this.get(key) !== other.get(key)) keys.push(key)
    for (const key of others?.keys() ?? []) if (!own?.has(key) && this.get(key) !== other.get(key)) keys.push(key)
    return keys
  }

  /** Copies what a copy has too. Changes are put together with the base when to copy them each time would cost more than that does now and then. */
  #own(): void {
    if (!this.#isShared) return
    this.#isShared = false
    const changed = this.#changes?.size ?? 0
    if (this.#base.size <= FEW || changed * changed > 4 * this.#base.size) {
      this.#base = this.#merge()
      this.#changes = undefined
    } else this.#changes = new Map(this.#changes)
  }

  #merge(): Map<K, V> {
    const all = new Map(this.#base)
    for (const [key, value] of this.#changes ?? [])
      if (value === GONE) all.delete(key)
      else all.set(key, value)
    return all
  }
}

/** Maps with so few keys are copied whole. */
const FEW = 8
