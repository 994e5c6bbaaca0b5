import type { Tree } from './document.ts'

/** The node kinds of a grammar that rules speak of. */
interface Grammar {
  pair: readonly string[]
  map: readonly string[]
}

const GRAMMARS: Readonly<Record<'yaml' | 'json', Grammar>> = {
  yaml: { pair: ['block_mapping_pair', 'flow_pair'], map: ['block_mapping', 'flow_mapping'] },
  json: { pair: ['pair'], map: ['object'] },
}

/** Makes rule objects for ast-grep that look at the keys and values of a document, however it is written. */
export class Matchers {
  readonly #grammar: Grammar

  constructor(language: 'yaml' | 'json') {
    this.#grammar = GRAMMARS[language]
  }

  /** A key with its value; both by an expression over their text without quotes. */
  pair(key?: string, value?: string): Tree {
    const parts: Tree[] = [this.#kinds('pair')]
    if (key !== undefined) parts.push({ has: { field: 'key', regex: quoted(key) } })
    if (value !== undefined) parts.push({ has: { field: 'value', regex: quoted(value) } })
    return parts.length === 1 ? parts[0]! : { all: parts }
  }

  /** A pair that has such a pair directly below it. */
  above(inner: Tree): Tree {
    return { has: { ...inner, stopBy: this.#kinds('pair') } }
  }

  /** Something that stands beside such a pair, in the same map. */
  beside(pair: Tree): Tree {
    return { inside: { all: [this.#kinds('map'), { has: pair }] } }
  }

  /** Something directly below a pair with this key, which may itself stand directly below another. */
  directlyUnder(key: string | undefined, further?: Tree): Tree {
    return { inside: { all: [this.pair(key), ...(further ? [further] : [])], stopBy: this.#kinds('pair') } }
  }

  /** Something anywhere below a pair with this key. */
  under(key: string, further?: Tree): Tree {
    return { inside: { all: [this.pair(key), ...(further ? [further] : [])], stopBy: 'end' } }
  }

  /** Anything in a document whose outermost map has such a pair. */
  inDocumentWith(pair: Tree, marker: Tree): Tree {
    return { inside: { all: [this.#kinds('map'), { has: pair }, { has: marker }], stopBy: 'end' } }
  }

  #kinds(of: keyof Grammar): Tree {
    const kinds = this.#grammar[of].map(kind => ({ kind }))
    return kinds.length === 1 ? kinds[0]! : { any: kinds }
  }
}

/** One of these words. */
export function matchOneOf(words: readonly string[]): string {
  return `(?:${words.map(word => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')})`
}

/** The whole text of a scalar, quoted or not. */
function quoted(expression: string): string {
  return `^["']?${expression}["']?$`
}
