import type { SgNode } from '@ast-grep/napi'
import type { Span, Statement } from '../ir.ts'

/** How many are kept, twice: those that were asked for since the last turn, and those from before it. */
const MOST = 10_000
/** A longer one is not kept. */
const LONGEST = 2000

/** What is no whole part of the language: what the parser did not understand, and what it took to be missing. */
const FAULTY = { rule: { any: [{ kind: 'ERROR' }, { regex: '^$' }] } }

/**
 * Simple statements as they were lowered, by their text, for whoever judges the same file after each key. Each part that is lowered is some
 * ten calls into native code; to copy it is none. A statement without faults is parsed in one way wherever it stands, so that its text says
 * all; one that the parser had to mend, or that holds a function, is lowered anew each time.
 */
export class KeptStatements {
  #now = new Map<string, readonly Statement[]>()
  #before = new Map<string, readonly Statement[]>()

  /** The reader of one file. */
  read(root: SgNode): StatementReader {
    let faulty: readonly { start: number; end: number }[] | undefined
    const isFaulty = (start: number, end: number) => {
      faulty ??= (root.findAll(FAULTY as never) as SgNode[]).map(node => {
        const range = node.range()
        return { start: range.start.index, end: range.end.index }
      })
      return faulty.some(each => each.start <= end && start <= each.end)
    }
    return (key, start, length, lower) => {
      if (length > LONGEST) return lower()
      const kept = this.#find(key)
      if (kept) return move(kept, start)
      const made = lower()
      if (isFaulty(start, start + length) || !made.every(isPlain)) return made
      if (this.#now.size >= MOST) [this.#before, this.#now] = [this.#now, new Map()]
      this.#now.set(key, move(made, -start))
      return made
    }
  }

  #find(key: string): readonly Statement[] | undefined {
    const recent = this.#now.get(key)
    if (recent) return recent
    const kept = this.#before.get(key)
    if (kept && this.#now.size < MOST) this.#now.set(key, kept)
    return kept
  }
}

/** Gives the statements of a text that begins at `start`, kept or lowered; `key` is the text, and whatever else they depend on. */
export type StatementReader = (key: string, start: number, length: number, lower: () => Statement[]) => Statement[]

/** Whether it is data alone: a function's body is read from the tree of its file. */
function isPlain(form: unknown): boolean {
  if (typeof form !== 'object' || form === null) return typeof form !== 'function'
  return Object.values(form).every(isPlain)
}

/** A copy that stands so much further on. */
function move(form: readonly Statement[], by: number): Statement[]
function move(form: unknown, by: number): unknown
function move(form: unknown, by: number): unknown {
  if (Array.isArray(form)) return form.map(each => move(each, by))
  if (typeof form !== 'object' || form === null) return form
  const moved: Record<string, unknown> = { ...form }
  for (const key in moved) if (typeof moved[key] === 'object') moved[key] = move(moved[key], by)
  // Where a form stands may be known to it alone, and is not copied with the rest.
  const { start, end } = form as Partial<Span>
  if (start !== undefined && end !== undefined) Object.assign(moved, { start: start + by, end: end + by })
  return moved
}
