import { createHash } from 'node:crypto'

/** What a leaf's bytes and two children are hashed with, so that neither can stand for the other (RFC 6962, section 2.1). */
const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

/** The hash of an entry as a leaf: SHA-256(0x00 ‖ entry). */
export function hashLeaf(entry: Uint8Array): Buffer {
  return createHash('sha256').update(LEAF).update(entry).digest()
}

function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest()
}

/** The root of the tree without a leaf. */
const EMPTY = createHash('sha256').digest()

/**
 * An append-only Merkle tree (RFC 6962, section 2.1). Every complete subtree's hash is kept, so appending costs one hash on
 * average, and a root or a proof of any earlier size takes at most log² of the size.
 */
export class MerkleTree {
  /** `#levels[k][i]` is the hash of the leaves from i·2ᵏ, 2ᵏ of them. */
  readonly #levels: Buffer[][] = [[]]

  get size(): number {
    return this.#levels[0]!.length
  }

  /** Adds a leaf by its hash, and returns its index. */
  append(leaf: Buffer): number {
    const index = this.size
    let hash = leaf
    for (let level = 0; ; level++) {
      this.#levels[level] ??= []
      const row = this.#levels[level]!
      row.push(hash)
      if (row.length % 2 === 1) return index
      hash = hashNode(row.at(-2)!, row.at(-1)!)
    }
  }

  /** Takes the leaf away that was added last: the tree is as it was before. */
  removeLast(): void {
    for (const row of this.#levels) {
      row.pop()
      // An even row has ended no subtree above it.
      if (row.length % 2 === 0) return
    }
  }

  /** The root of the first `size` leaves. */
  root(size = this.size): Buffer {
    this.#refuseSize(size)
    return size === 0 ? EMPTY : this.#hash(0, size)
  }

  /** PATH(index, first `size` leaves): the hashes with which a leaf leads to the root. */
  proveInclusion(index: number, size = this.size): Buffer[] {
    this.#refuseSize(size)
    if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`no leaf ${index} among ${size}`)
    const path: Buffer[] = []
    let [from, to] = [0, size]
    while (to - from > 1) {
      const middle = from + splitSize(to - from)
      if (index < middle) {
        path.push(this.#hash(middle, to))
        to = middle
      } else {
        path.push(this.#hash(from, middle))
        from = middle
      }
    }
    return path.reverse()
  }

  /** PROOF(from, first `to` leaves): the hashes that show the tree of `from` leaves to be the beginning of that of `to`. */
  proveConsistency(from: number, to = this.size): Buffer[] {
    this.#refuseSize(to)
    if (!Number.isInteger(from) || from < 0 || from > to) throw new RangeError(`${from} leaves are not among ${to}`)
    if (from === 0 || from === to) return []
    const proof: Buffer[] = []
    let [low, high, whole] = [0, to, true]
    while (from < high) {
      const middle = low + splitSize(high - low)
      if (from <= middle) {
        proof.push(this.#hash(middle, high))
        high = middle
      } else {
        proof.push(this.#hash(low, middle))
        low = middle
        whole = false
      }
    }
    if (!whole) proof.push(this.#hash(low, high))
    return proof.reverse()
  }

  /** The hash of the leaves from `from` to before `to`. */
  #hash(from: number, to: number): Buffer {
    const count = to - from
    const level = Math.log2(count)
    if (Number.isInteger(level) && from % count === 0) return this.#levels[level]![from / count]!
    const middle = from + splitSize(count)
    return hashNode(this.#hash(from, middle), this.#hash(middle, to))
  }

  #refuseSize(size: number): void {
    if (!Number.isInteger(size) || size < 0 || size > this.size)
      throw new RangeError(`${size} is not a size of this tree, which has ${this.size} leaves`)
  }
}

/** The largest power of two below a count. */
function splitSize(count: number): number {
  return 2 ** (Math.ceil(Math.log2(count)) - 1)
}

/** Whether a path leads from a leaf to the root (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  leaf: Buffer,
  { index, size, path, root }: { index: number; size: number; path: readonly Buffer[]; root: Buffer },
): boolean {
  if (!Number.isInteger(index) || !Number.isInteger(size) || index < 0 || index >= size) return false
  let [fn, sn] = [index, size - 1]
  let hash = leaf
  for (const step of path) {
    if (step.length !== 32 || sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      hash = hashNode(step, hash)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else hash = hashNode(hash, step)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && hash.equals(root)
}

/** Whether a tree is the beginning of another one (RFC 9162, section 2.1.4.2). A proof for equal sizes or from nothing is empty. */
export function verifyConsistency(
  first: { size: number; root: Buffer },
  second: { size: number; root: Buffer },
  proof: readonly Buffer[],
): boolean {
  const [from, to] = [first.size, second.size]
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || from > to) return false
  if (from === to) return proof.length === 0 && first.root.equals(second.root)
  if (from === 0) return proof.length === 0 && first.root.equals(EMPTY)
  const steps = Number.isInteger(Math.log2(from)) ? [first.root, ...proof] : [...proof]
  const start = steps.shift()
  if (!start || steps.some(step => step.length !== 32)) return false
  let [fn, sn] = [from - 1, to - 1]
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)]
  let [one, other] = [start, start]
  for (const step of steps) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      one = hashNode(step, one)
      other = hashNode(step, other)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else other = hashNode(other, step)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && one.equals(first.root) && other.equals(second.root)
}

/** Without bit operations, which end at 2³¹. */
function half(count: number): number {
  return Math.floor(count / 2)
}
