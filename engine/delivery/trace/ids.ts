import type { Requirement, RequirementSet } from '../requirements/model.ts'

/** Which requirement a written id means. */
export type Resolution =
  | { requirement: Requirement }
  /** The requirement has another revision now. */
  | { requirement: Requirement; outdated: string }
  | { missing: true }

/** An id of OpenFastTrace: type, name and revision. */
const REVISED = /^([A-Za-z]{1,40}~[^~]{1,150})~(\d{1,9})$/

/**
 * Finds requirements by what is written in code, commits and branches: an id, the key of the work item that it comes from, or an id of OpenFastTrace
 * with its revision (`req~login~1`), which `req~login` and `login` answer to as well.
 */
export class RequirementIndex {
  readonly #byId: ReadonlyMap<string, Requirement>
  /** By source key, without regard to case; undefined where two have it. */
  readonly #byKey = new Map<string, Requirement | undefined>()
  /** The newest revision by `type~name`. */
  readonly #byName = new Map<string, { requirement: Requirement; revision: number }>()

  constructor({ requirements, byId }: Pick<RequirementSet, 'requirements' | 'byId'>) {
    this.#byId = byId
    for (const requirement of requirements) {
      const key = requirement.source?.key.toLowerCase()
      if (key !== undefined && requirement.source!.provider !== 'reqif')
        this.#byKey.set(key, this.#byKey.has(key) ? undefined : requirement)
      const [, name, revision] = REVISED.exec(requirement.id) ?? []
      const known = name === undefined ? undefined : this.#byName.get(name)
      if (name !== undefined && (known === undefined || known.revision < Number(revision)))
        this.#byName.set(name, { requirement, revision: Number(revision) })
    }
  }

  /** What the id means. */
  resolve(written: string): Resolution {
    const exact = this.#byId.get(written) ?? this.#byKey.get(written.toLowerCase())
    if (exact) return { requirement: exact }
    const [, name, revision] = REVISED.exec(written) ?? []
    if (name === undefined) return { missing: true }
    const other = this.#byName.get(name)
    if (other) return { requirement: other.requirement, outdated: `revision ${revision} instead of ${other.revision}` }
    const plain = this.#byId.get(name) ?? this.#byId.get(name.slice(name.indexOf('~') + 1))
    return plain ? { requirement: plain } : { missing: true }
  }

  /** The requirements that a free text names, each once: words with a digit and something else that are an id or a key. */
  findIn(text: string): Requirement[] {
    const found = new Set<Requirement>()
    for (const [word] of text.matchAll(/#?[A-Za-z0-9_][\w.:~/#+-]{0,199}/g)) {
      for (const part of new Set([word, word.replace(/[.:,;/+#-]{1,10}$/, ''), ...splitWord(word)])) {
        // A number or a word of the language is an id by chance.
        if (!part.includes('~') && !(/\d/.test(part) && /\D/.test(part))) continue
        const requirement = this.#byId.get(part) ?? this.#byKey.get(part.toLowerCase())
        if (requirement) found.add(requirement)
      }
    }
    return [...found]
  }
}

/** `feature/REQ-12-log-in` names REQ-12: parts between slashes, and their beginnings that end with a number. */
function splitWord(word: string): string[] {
  return word.split('/').flatMap(part => {
    const parts = [part.replace(/[.:,;+#-]{1,10}$/, '')]
    for (const { 0: all } of part.matchAll(/[A-Za-z][A-Za-z0-9_]{0,60}[-_]?#?\d{1,9}/g)) parts.push(all)
    return parts
  })
}
