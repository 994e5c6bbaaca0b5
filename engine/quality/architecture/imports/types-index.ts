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

/** Files of one name that are kept: a type in more parts is imported from these. */
const MOST_FILES = 50
/** Parts of a namespace by which those around it are known. */
const MOST_PARTS = 64

/** The types that namespaces declare: by namespace, then by name, the files. */
export class TypeIndex {
  readonly #spaces = new Map<string, Map<string, number[]>>()
  /** By name, the namespaces that declare it. */
  readonly #declaring = new Map<string, Set<string>>()
  /** Every namespace with those around it. */
  readonly #around = new Set<string>()

  /** Adds a declaration; files come in ascending order. */
  declare(space: string, name: string, file: number): void {
    let types = this.#spaces.get(space)
    if (!types) {
      types = new Map()
      this.#spaces.set(space, types)
      for (const each of listAround(space)) this.#around.add(each)
    }
    const files = types.get(name)
    if (!files) {
      types.set(name, [file])
      const declaring = this.#declaring.get(name)
      if (declaring) declaring.add(space)
      else this.#declaring.set(name, new Set([space]))
    } else if (files.at(-1) !== file && files.length < MOST_FILES) files.push(file)
  }

  has(space: string): boolean {
    return this.#spaces.has(space)
  }

  /** Whether a namespace, or one below it, is the repository's. */
  isWithin(space: string): boolean {
    return this.#spaces.has(space) || this.#around.has(space)
  }

  find(space: string, name: string): readonly number[] {
    return this.#spaces.get(space)?.get(name) ?? []
  }

  /** The files of those names that a namespace declares; the smaller of both is gone through. */
  findAll(space: string, names: ReadonlySet<string>): Set<number> {
    const types = this.#spaces.get(space) ?? new Map<string, number[]>()
    const wanted = types.size < names.size ? [...types.keys()].filter(name => names.has(name)) : names
    const files = new Set<number>()
    for (const name of wanted) for (const file of types.get(name) ?? []) files.add(file)
    return files
  }

  /** The namespaces that declare a name. */
  listDeclaring(name: string): ReadonlySet<string> {
    return this.#declaring.get(name) ?? NONE
  }
}

const NONE: ReadonlySet<string> = new Set()

/** A namespace and those around it, the innermost first; of a deeper one than anybody writes, the outer ones. */
export function listAround(space: string): string[] {
  const parts = space.split('.', MOST_PARTS)
  const around = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
  return around[0] === space ? around : [space, ...around]
}

/** The site of a name that is used without an import of its own. */
export function makeUseSite({ name, line, column }: NameUse): Site {
  return { specifier: name, line, column, kind: 'import' }
}
