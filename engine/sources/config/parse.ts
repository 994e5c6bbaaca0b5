import { isUtf8 } from 'node:buffer'
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import { MAX_SETTINGS_BYTES } from '../../base/disk/settings-file.ts'
import type { Fault, Place } from '../../base/errors.ts'
import { findPlainKey } from '../../base/text/words.ts'

/** The parser goes one call deeper for each level, and dies with the whole process where the stack ends. */
const MAX_DEPTH = 100
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
 * both from 1, columns in UTF-16 units. `file` is the name shown. Never throws. This module is imported where a file is
 * there to be parsed, since loading the parser costs more than all the rest of a configuration. A file of more than
 * `maxBytes` is refused unread.
 */
export function parseYaml(bytes: Uint8Array, file: string, maxBytes = MAX_SETTINGS_BYTES): Parsed {
  const refused = (message: string, place: Place = { file, line: 1, column: 1 }): Parsed => ({
    value: undefined,
    faults: [{ message, place }],
    placeOf: () => place,
  })
  if (bytes.length > maxBytes) return refused(`The file has ${bytes.length} bytes, but the limit is ${maxBytes}.`)
  if (!isUtf8(bytes)) return refused('The file is not UTF-8 text.')
  const text = new TextDecoder().decode(bytes)

  const lines = new LineCounter()
  const placeAt = (offset: number): Place => ({ file, ...lineAndColumn(lines, offset) })
  const tooDeep = offsetBeyondDepth(text, lines)
  if (tooDeep !== undefined) return refused(`The file is nested deeper than ${MAX_DEPTH} levels.`, placeAt(tooDeep))
  lines.lineStarts.length = 0
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    // The parser's own check compares every key with every other: nine seconds for 20,000 keys.
    uniqueKeys: false,
  })
  const faults: Fault[] = [...document.errors, ...document.warnings].map(error => ({
    message: sentence(error.code, error.message, text.slice(error.pos[0], error.pos[0] + 200)),
    place: placeAt(error.pos[0]),
  }))
  const duplicates = (key: unknown) =>
    faults.push({
      message: `The key ${findPlainKey(keyText(key)) ?? 'here'} is defined twice.`,
      place: placeAt(startOf(key) ?? 0),
    })
  visit(document, { Map: (_, map) => repeatedKeys(map).forEach(duplicates) })
  const walk = new Walk(document)
  const parsed: Parsed = {
    value: undefined,
    faults,
    placeOf: (path, part) => placeAt(walk.offsetOf(path, part)),
  }
  if (faults.length > 0) return parsed
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    // An anchor that stands inside itself yields a value without an end, which cannot be written as JSON.
    JSON.stringify(value)
    parsed.value = value
  } catch (error) {
    const excessive = /excessive alias/i.test(String(error))
    const message = excessive
      ? `The aliases expand to more than ${MAX_ALIASES} values.`
      : 'The alias refers to itself or to an anchor that is not defined before it.'
    faults.push({ message, place: placeAt(walk.aliasAt()) })
  }
  return parsed
}

/** Where the text is nested deeper than MAX_DEPTH, told from the parser's own stack while it only tokenises; undefined where it is not. */
function offsetBeyondDepth(text: string, lines: LineCounter): number | undefined {
  const parser = new Parser(lines.addNewLine)
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) return parser.offset
  }
  return undefined
}

/**
 * The parser's complaint in a sentence. `source` is what it is about, of which only a short tag is quoted: the file may be another
 * than the one that was meant, and what it holds a secret.
 */
function sentence(code: string, message: string, source: string): string {
  if (code === 'TAB_AS_INDENT') return 'A tab indents the line; YAML allows spaces only.'
  if (code === 'MULTIPLE_DOCS') return 'The file contains more than one YAML document.'
  if (code === 'TAG_RESOLVE_FAILED')
    return `The tag ${/^![\w!:,./-]{1,40}(?=\s|$)/.exec(source)?.[0] ?? ''} is not supported.`
  return `The YAML cannot be parsed: ${withoutSource(message).replace(/\.?$/, '.')}`
}

/** The parser's message up to where it quotes what it has read. */
function withoutSource(message: string): string {
  return /^(?:Plain value cannot start|Missing|Unexpected [\w-]+ (?:in|at|token in) [\w ]+$)/.test(message)
    ? message
    : message.replace(/(?:: | escape sequence | version | directive | tag: ).*$/s, '')
}

function lineAndColumn(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

/** Finds nodes by path, through aliases. */
class Walk {
  private readonly document: Document

  constructor(document: Document) {
    this.document = document
  }

  offsetOf(path: readonly string[], part: 'key' | 'value'): number {
    let at = this.document.contents as Node | null
    let offset = startOf(at) ?? 0
    for (const [depth, step] of path.entries()) {
      const node = isAlias(at) ? at.resolve(this.document) : at
      if (isMap(node)) {
        const pair = node.items.find(item => keyText(item.key) === step)
        if (!pair) return offset
        const wantsKey = part === 'key' && depth === path.length - 1
        offset = (wantsKey ? undefined : startOf(pair.value)) ?? startOf(pair.key) ?? offset
        at = pair.value as Node | null
      } else if (isSeq(node)) {
        at = (node.items[Number(step)] as Node | undefined) ?? null
        offset = startOf(at) ?? offset
      } else return offset
    }
    return offset
  }

  /** The first alias that leads nowhere, else the first one. */
  aliasAt(): number {
    const aliases: Alias[] = []
    visit(this.document, { Alias: (_key, node) => void aliases.push(node) })
    const blamed = aliases.find(alias => alias.resolve(this.document) === undefined) ?? aliases[0]
    return startOf(blamed) ?? 0
  }
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0]
}

function keyText(key: unknown): string {
  return String(typeof key === 'object' && key !== null && 'value' in key ? key.value : key)
}

function repeatedKeys(map: YAMLMap): unknown[] {
  const seen = new Set<string>()
  return map.items.map(pair => pair.key).filter(key => seen.has(keyText(key)) || !seen.add(keyText(key)))
}
