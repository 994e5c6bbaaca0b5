import { isUtf8 } from 'node:buffer'
import type { Document, LineCounter, Node, Pair } from 'yaml'
import type { Fault, Place } from '../errors.ts'

/** A configuration file of more bytes is refused unread; the longest sensible one is a hundredth of it. */
export const MAX_CONFIG_BYTES = 262_144
/** So many times may aliases be expanded; more is an attempt to exhaust memory. */
const MAX_ALIASES = 100

/** A YAML file as plain data, with the way back from a value to its place. */
export interface Parsed {
  value: unknown
  faults: Fault[]
  /** Where the value at a path stands, or its key; the nearest enclosing place where the path leads nowhere. */
  placeOf(path: readonly string[], part: 'key' | 'value'): Place
}

/**
 * Parses the bytes of a YAML 1.2 file (core schema, one document, unique keys). Every fault has its line and column,
 * both from 1, columns in UTF-16 units. `file` is the name shown. Never throws.
 */
export async function parseYaml(bytes: Uint8Array, file: string): Promise<Parsed> {
  const refused = (message: string, place: Place = { file, line: 1, column: 1 }): Parsed => ({
    value: undefined,
    faults: [{ message, place }],
    placeOf: () => place,
  })
  if (bytes.length > MAX_CONFIG_BYTES)
    return refused(`The file has ${bytes.length} bytes, but at most ${MAX_CONFIG_BYTES} are read.`)
  if (!isUtf8(bytes)) return refused('The file is not UTF-8 text.')
  const text = new TextDecoder().decode(bytes)

  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  let document: Document
  try {
    document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  } catch (error) {
    if (error instanceof RangeError) return refused('The file is nested too deeply.')
    throw error
  }
  const placeAt = (offset: number): Place => ({ file, ...lineAndColumn(lines, offset) })
  const faults: Fault[] = [...document.errors, ...document.warnings].map(error => ({
    message: sentence(error.code, error.message, text.slice(error.pos[0], error.pos[1])),
    place: placeAt(error.pos[0]),
  }))
  const walk = new Walk(document, yaml.isAlias, yaml.isMap, yaml.isSeq)
  const parsed: Parsed = {
    value: undefined,
    faults,
    placeOf: (path, part) => placeAt(walk.offsetOf(path, part)),
  }
  if (faults.length > 0) return parsed
  try {
    parsed.value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    const alias = walk.firstAlias(yaml.visit)
    faults.push({
      message:
        error instanceof RangeError
          ? 'The file is nested too deeply.'
          : /excessive alias/i.test(String(error))
            ? `The aliases expand to more than ${MAX_ALIASES} values.`
            : 'An alias refers to itself or to an anchor that does not stand before it.',
      place: placeAt(alias),
    })
  }
  return parsed
}

/** The parser's complaint in a sentence that names the text it is about. */
function sentence(code: string, message: string, source: string): string {
  const snippet = source.split('\n', 1)[0]!.trim().slice(0, 40)
  if (code === 'DUPLICATE_KEY') return `The key ${snippet.replace(/:.*$/, '')} is given twice.`
  if (code === 'TAB_AS_INDENT') return 'A tab indents the line; YAML takes spaces only.'
  if (code === 'MULTIPLE_DOCS') return 'The file holds more than one YAML document.'
  if (code === 'TAG_RESOLVE_FAILED') return `The tag ${snippet} is not supported.`
  return `The YAML cannot be read: ${message.replace(/\.?$/, '.')}`
}

function lineAndColumn(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

/** Finds nodes by path, through aliases. */
class Walk {
  private readonly document: Document
  private readonly isAlias: typeof import('yaml').isAlias
  private readonly isMap: typeof import('yaml').isMap
  private readonly isSeq: typeof import('yaml').isSeq

  constructor(
    document: Document,
    isAlias: typeof import('yaml').isAlias,
    isMap: typeof import('yaml').isMap,
    isSeq: typeof import('yaml').isSeq,
  ) {
    this.document = document
    this.isAlias = isAlias
    this.isMap = isMap
    this.isSeq = isSeq
  }

  offsetOf(path: readonly string[], part: 'key' | 'value'): number {
    let at = this.document.contents as Node | null
    let offset = startOf(at) ?? 0
    for (const [depth, step] of path.entries()) {
      const node = this.isAlias(at) ? at.resolve(this.document) : at
      if (this.isMap(node)) {
        const pair = node.items.find(item => keyText(item) === step)
        if (!pair) return offset
        const wantsKey = part === 'key' && depth === path.length - 1
        offset = (wantsKey ? undefined : startOf(pair.value)) ?? startOf(pair.key) ?? offset
        at = pair.value as Node | null
      } else if (this.isSeq(node)) {
        at = (node.items[Number(step)] as Node | undefined) ?? null
        offset = startOf(at) ?? offset
      } else return offset
    }
    return offset
  }

  firstAlias(visit: typeof import('yaml').visit): number {
    let offset: number | undefined
    visit(this.document, {
      Alias: (_key, node) => {
        offset = startOf(node)
        return visit.BREAK
      },
    })
    return offset ?? 0
  }
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}

function keyText(pair: Pair): string {
  const key = pair.key as { value?: unknown } | null
  return String(key && typeof key === 'object' && 'value' in key ? key.value : key)
}
