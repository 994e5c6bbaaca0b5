import type { SgNode } from '@ast-grep/napi'

/**
 * A node of a tree, and the way down from it. Where a node stands is asked for when it is needed, and once: each question is a call into
 * native code, and of a long file's thousand statements a dozen are looked at to find one place.
 */
export class Branch {
  readonly node: SgNode
  #start: number | undefined
  #end: number | undefined
  #children: readonly Branch[] | undefined

  constructor(node: SgNode) {
    this.node = node
  }

  get start(): number {
    return this.#start ?? this.#look().start.index
  }

  get end(): number {
    return this.#end ?? this.#look().end.index
  }

  /** The child that an offset is in. */
  findAt(offset: number): Branch | undefined {
    const children = this.#list()
    const child = children[countWhile(children, ({ start }) => start <= offset) - 1]
    return child && offset < child.end ? child : undefined
  }

  /** The first child that holds a stretch. */
  findAround(start: number, end: number): Branch | undefined {
    const children = this.#list()
    const child = children[countWhile(children, each => each.end < end)]
    return child && child.start <= start ? child : undefined
  }

  #look(): ReturnType<SgNode['range']> {
    const range = this.node.range()
    this.#start = range.start.index
    this.#end = range.end.index
    return range
  }

  #list(): readonly Branch[] {
    this.#children ??= this.node.children().map(child => new Branch(child))
    return this.#children
  }
}

const known = new WeakMap<SgNode, Branch>()

/** The tree's own: whoever asks about the same tree shares what was found out. */
export function getBranch(root: SgNode): Branch {
  let branch = known.get(root)
  if (!branch) {
    branch = new Branch(root)
    known.set(root, branch)
  }
  return branch
}

/** How many at the beginning meet a condition that none meets after one that does not. */
function countWhile<T>(sorted: readonly T[], meets: (each: T) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (meets(sorted[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
