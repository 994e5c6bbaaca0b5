import type { SgNode } from '@ast-grep/napi'
import type { Value } from './configuration.ts'

/** Deeper nesting is not read. */
const MAX_DEPTH = 40
/** More values are not read: each costs some 50 µs, and no clock can stop the reading. A template of 200 kB has fewer. */
const MOST_NODES = 40_000

/** A value as YAML writes it, with the tag before it (`!Ref`), and of a truth its own word. */
export type Tagged = Value & { tag?: string; written?: string }

/** Reads the values of a YAML file from its syntax tree; what it does not know is unknown, and whatever is left unread makes it incomplete. */
export class YamlReader {
  /** Whether all that was read is YAML, and no deeper than it is read. */
  isComplete = true
  readonly #anchors = new Map<string, Tagged>()
  #nodes = 0

  /** The contents of the documents of a file. */
  readDocuments(root: SgNode): Tagged[] {
    if (root.kind() === 'ERROR') this.isComplete = false
    return this.#list(root).flatMap(({ kind, node }) =>
      kind === 'document' ? this.#list(node).map(content => this.#read(content, 0)) : [],
    )
  }

  /** What a node consists of beside signs, comments and directives. Each question to the tree takes microseconds, so they are few. */
  #list(node: SgNode): Part[] {
    const out: Part[] = []
    for (const child of node.children()) {
      const kind = String(child.kind())
      if (kind === 'ERROR') this.isComplete = false
      else if (/^[a-z]/.test(kind) && kind !== 'comment' && !kind.endsWith('_directive'))
        out.push({ kind, node: child })
    }
    return out
  }

  /** A node of the tree: properties (anchor, tag), and what they belong to. */
  #read(part: Part, depth: number): Tagged {
    if (depth > MAX_DEPTH || ++this.#nodes > MOST_NODES) {
      this.isComplete = false
      return { kind: 'unknown', ...spanOf(part.node) }
    }
    if (part.kind !== 'block_node' && part.kind !== 'flow_node') return this.#readContent(part, depth)
    // Most are scalars, which are known by their first character.
    const quick = part.kind === 'flow_node' ? readQuick(part.node) : undefined
    if (quick) return quick
    let tag: string | undefined
    let anchor: string | undefined
    let content: Part | undefined
    for (const each of this.#list(part.node)) {
      if (each.kind === 'tag') tag = readTag(each.node.text())
      else if (each.kind === 'anchor') anchor = each.node.text().slice(1)
      else content ??= each
    }
    const read: Tagged = content ? this.#readContent(content, depth) : { kind: 'null', text: '', ...spanOf(part.node) }
    const value = tag === undefined ? read : { ...read, tag }
    if (anchor !== undefined) this.#anchors.set(anchor, value)
    return value
  }

  #readContent({ kind, node }: Part, depth: number): Tagged {
    const { start, end } = spanOf(node)
    if (kind === 'block_mapping' || kind === 'flow_mapping') return this.#readPairs(this.#list(node), node, depth)
    if (kind === 'block_sequence' || kind === 'flow_sequence')
      return { kind: 'list', items: this.#list(node).map(item => this.#readItem(item, depth)), start, end }
    const written = node.text()
    if (kind === 'alias') return { ...(this.#anchors.get(written.slice(1)) ?? { kind: 'unknown' }), start, end }
    return toScalar(kind, written, start, end)
  }

  #readItem(part: Part, depth: number): Tagged {
    if (part.kind === 'flow_pair') return this.#readPairs([part], part.node, depth)
    const content = part.kind === 'block_sequence_item' ? this.#list(part.node)[0] : part
    return content ? nameTruth(this.#read(content, depth + 1)) : { kind: 'null', text: '', ...spanOf(part.node) }
  }

  #readPairs(pairs: readonly Part[], node: SgNode, depth: number): Tagged {
    const entries = new Map<string, Value>()
    /** Keys of the map itself, beside those that are merged in. */
    const own = new Set<string>()
    for (const pair of pairs) {
      const [key, value] = [pair.node.field('key'), pair.node.field('value')].map(node => node && toPart(node))
      if (!key) continue
      const name = this.#read(key, depth + 1)
      if (!('text' in name)) {
        this.isComplete = false
        continue
      }
      const held: Tagged = value
        ? nameTruth(this.#read(value, depth + 1))
        : { kind: 'null', text: '', start: name.start, end: name.end }
      // What anchors hold is merged in: the map's own entries come first, then those of the earlier anchor.
      if (name.text === '<<' && (held.kind === 'object' || held.kind === 'list')) {
        for (const map of held.kind === 'list' ? held.items : [held]) merge(entries, map)
        continue
      }
      // YAML has no key twice, and readers differ in which of the values counts.
      if (own.has(name.text)) this.isComplete = false
      own.add(name.text)
      entries.set(name.text, { ...held, key: name.start } as Tagged)
    }
    return { kind: 'object', entries, ...spanOf(node) }
  }
}

/** The tag, where it is one of an application: those of YAML itself (`!!map`, `!<tag:yaml.org,2002:str>`, `!`) say what the value is anyway. */
function readTag(written: string): string | undefined {
  return /^!(?:!|<tag:yaml\.org,|$)/.test(written) ? undefined : written
}

/** Adds the entries of a map that are not there yet. */
function merge(entries: Map<string, Value>, map: Value): void {
  if (map.kind !== 'object') return
  for (const [key, value] of map.entries) if (!entries.has(key)) entries.set(key, value)
}

/** A node of the syntax tree with its kind. */
interface Part {
  kind: string
  node: SgNode
}

/** What plain scalars stand for that are no text (YAML 1.1, which CloudFormation reads). */
const PLAIN_TYPES: readonly [RegExp, 'truth' | 'null' | 'number'][] = [
  [/^(?:true|false|yes|no|on|off)$/i, 'truth'],
  [/^(?:null|~)?$/i, 'null'],
  [/^[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?$/i, 'number'],
]

/** What the other words for truths mean. */
const TRUTHS: ReadonlyMap<string, string> = new Map([
  ...['yes', 'on'].map(word => [word, 'true'] as const),
  ...['no', 'off'].map(word => [word, 'false'] as const),
])

/** The value; of a truth that is written in another word, the one that rules ask for. A key stays as it is written. */
function nameTruth(value: Tagged): Tagged {
  if (value.kind !== 'truth') return value
  return { ...value, text: TRUTHS.get(value.text.toLowerCase()) ?? value.text, written: value.text }
}

function toPart(node: SgNode): Part {
  return { kind: String(node.kind()), node }
}

/** A plain or quoted scalar without a tag or an anchor; undefined for whatever else a node is. */
function readQuick(node: SgNode): Tagged | undefined {
  const written = node.text()
  const { start, end } = spanOf(node)
  const quote = written[0]
  if (quote === '"' || quote === "'")
    return toScalar(quote === '"' ? 'double_quote_scalar' : 'single_quote_scalar', written, start, end)
  return /^[\w/.:-]/.test(written) ? toScalar('plain_scalar', written, start, end) : undefined
}

function toScalar(kind: string, written: string, start: number, end: number): Tagged {
  const text = readScalar(kind, written)
  if (text === undefined) return { kind: 'unknown', start, end }
  const type = kind === 'plain_scalar' ? (PLAIN_TYPES.find(([form]) => form.test(text))?.[1] ?? 'text') : 'text'
  return { kind: type, text, start, end }
}

function spanOf(node: SgNode): { start: number; end: number } {
  const { start, end } = node.range()
  return { start: start.index, end: end.index }
}

/** The text of a scalar as YAML reads it; undefined where an escape is none of YAML. */
function readScalar(kind: string, written: string): string | undefined {
  if (kind === 'double_quote_scalar') return decodeQuoted(written.slice(1, -1))
  if (kind === 'single_quote_scalar') return fold(written.slice(1, -1).replaceAll("''", "'"))
  if (kind === 'block_scalar') return readBlock(written)
  return kind === 'plain_scalar' ? fold(written) : undefined
}

/** The lines of a scalar as one, with spaces between them (YAML 1.2, section 6.5). */
function fold(text: string): string {
  return text.includes('\n')
    ? text
        .split('\n')
        .map(line => line.trim())
        .join(' ')
    : text
}

/** A scalar behind `|` or `>`: its lines without what they are indented by, and without the line ends behind the last. */
function readBlock(written: string): string {
  const [header = '', ...lines] = written.split('\n')
  const first = lines.find(line => line.trim() !== '') ?? ''
  const indent = first.length - first.trimStart().length
  const text = lines.map(line => line.slice(Math.min(indent, line.length - line.trimStart().length)).trimEnd())
  return text.join(header.startsWith('>') ? ' ' : '\n').trimEnd()
}

const ESCAPE = /\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\r?\n[ \t]*|[\s\S]?)/g

const PLAIN: Readonly<Record<string, string>> = {
  ...{
    0: '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    ' ': ' ',
    '"': '"',
    '/': '/',
  },
  ...{ '\\': '\\', '\t': '\t', N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029' },
}

/** The escapes of double-quoted scalars (YAML 1.2, section 5.7). */
function decodeQuoted(written: string): string | undefined {
  if (!written.includes('\\')) return written
  let isValid = true
  const text = written.replace(ESCAPE, (_, code: string) => {
    if (/^\r?\n/.test(code)) return ''
    const point = code.length > 1 ? Number.parseInt(code.slice(1), 16) : undefined
    const character = point === undefined ? PLAIN[code] : point <= 0x10ffff ? String.fromCodePoint(point) : undefined
    if (character === undefined) isValid = false
    return character ?? ''
  })
  return isValid ? text : undefined
}
