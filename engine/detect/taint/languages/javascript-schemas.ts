import type { Syntax } from './syntax.ts'

/** A member of a schema of Zod, and what stands after it on its line, up to the next one. */
const FIELD = /\b(\w+)\s*:\s*z\s*\.\s*(?:coerce\s*\.\s*)?(\w+)\((?=((?:(?!,\s*\w+\s*:)[^\n])*))/g

/** Kinds that hold no text, or only such as is written in the schema. */
const PLAIN_KIND = /^(?:number|boolean|bigint|date|enum|nativeEnum|literal|int|uuid|cuid|cuid2|ulid)$/

/** Checks after which a text has one form. */
const PLAIN_CHECK = /\)\s*\.\s*(?:uuid|cuid|cuid2|ulid|nanoid|datetime|ip)\(/

/** No procedure stands deeper in the code that it is made of. */
const DEEPEST = 60

/** What tRPC hands to procedures, as the schemas of Zod in the file say; undefined for a file without. */
export function findSchemas(text: string): Schemas | undefined {
  return text.includes('@trpc/server') && text.includes('.input(') ? new Schemas(text) : undefined
}

/** Knows the fields of a procedure's input that hold no text of the client's: numbers, names of an enumeration, identifiers of one form. */
export class Schemas {
  readonly #text: string
  readonly #known = new Map<string, ReadonlyMap<string, boolean>>()

  constructor(text: string) {
    this.#text = text
  }

  isChecked(field: string, at: Syntax): boolean {
    const own = this.#fields(chainOf(at) ?? '').get(field)
    return own ?? this.#fields(this.#text).get(field) ?? false
  }

  /** Fields by whether every schema of the text that has such a one declares it so. */
  #fields(text: string): ReadonlyMap<string, boolean> {
    const known = this.#known.get(text)
    if (known) return known
    const out = new Map<string, boolean>()
    for (const [, field, kind, rest] of text.matchAll(FIELD)) {
      const isPlain = PLAIN_KIND.test(kind!) || PLAIN_CHECK.test(rest!)
      out.set(field!, isPlain && out.get(field!) !== false)
    }
    this.#known.set(text, out)
    return out
  }
}

/** The chain of calls that ends in the procedure around a node: `procedure.input(…).query`. */
function chainOf(node: Syntax): string | undefined {
  let at = node.parent
  for (let up = 0; at && up < DEEPEST; up++, at = at.parent) {
    if (at.kind !== 'arguments') continue
    const chain = at.parent?.field('function')?.text ?? ''
    if (chain.includes('.input(')) return chain
  }
  return undefined
}
