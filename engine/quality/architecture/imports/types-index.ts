import { Positions } from '../../../base/text/positions.ts'
import type { Site } from './language.ts'
import type { NamePool } from './source-text.ts'

/** An occurrence of a name that may be that of a type. */
export interface NameUse {
  name: string
  line: number
  column: number
}

/** A type's name by the conventions of Java, Kotlin and C#. */
const TYPE_NAME = /(?<![\w$@.])[A-Z][\w$]*/g

/** The names in a file that begin as types do, each where it first stands. Names behind a dot are members of another one. */
export function findTypeNames(code: string, names: NamePool): NameUse[] {
  const positions = new Positions(code)
  const found = new Map<string, NameUse>()
  for (const { 0: name, index } of code.matchAll(TYPE_NAME))
    if (!found.has(name)) {
      const own = names.keep(name)
      found.set(own, { name: own, ...positions.at(index) })
    }
  return [...found.values()]
}

/** The types that namespaces declare: by namespace, then by name, the files. */
export class TypeIndex {
  readonly #spaces = new Map<string, Map<string, number[]>>()

  declare(space: string, name: string, file: number): void {
    const types = this.#spaces.get(space) ?? new Map<string, number[]>()
    this.#spaces.set(space, types)
    const files = types.get(name)
    if (!files) types.set(name, [file])
    else if (!files.includes(file)) files.push(file)
  }

  has(space: string): boolean {
    return this.#spaces.has(space)
  }

  /** Whether a namespace, or one below it, is the repository's. */
  isWithin(space: string): boolean {
    if (this.#spaces.has(space)) return true
    for (const each of this.#spaces.keys()) if (each.startsWith(`${space}.`)) return true
    return false
  }

  find(space: string, name: string): readonly number[] {
    return this.#spaces.get(space)?.get(name) ?? []
  }
}

/** The site of a name that is used without an import of its own. */
export function makeUseSite({ name, line, column }: NameUse): Site {
  return { specifier: name, line, column, kind: 'import' }
}
