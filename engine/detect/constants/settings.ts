import { type Definition, MOST_DEFINITIONS } from './definition.ts'

/** Kinds of file that hold settings under keys. */
export type SettingsKind = 'properties' | 'yaml' | 'dotenv'

/** What begins a value that is put in when the program runs, or that stands for another. */
const FILLED_IN = /\$\{|\{\{|^[&*!|>]|\$\(/

/** What the keys of a file of settings hold; a value that is put in later, or is no plain text, is left out. */
export function listSettings(kind: SettingsKind, text: string): Definition[] {
  const out: Definition[] = []
  const read = kind === 'yaml' ? new YamlKeys() : undefined
  let isContinued = false
  text.split('\n').forEach((raw, index) => {
    if (out.length >= MOST_DEFINITIONS) return
    const line = raw.replace(/\r$/, '')
    const isRest = isContinued
    isContinued = kind === 'properties' && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)
    if (isRest || isContinued) return
    const found = read ? read.next(line) : kind === 'properties' ? readProperty(line) : readAssignment(line)
    if (!found || found.value === '' || FILLED_IN.test(found.written)) return
    const column = found.at + 1
    out.push({ name: found.name, value: found.value, line: index + 1, column, end_column: line.length + 1 })
  })
  return out
}

/** A key with its value: as it is meant, and as it is written. */
interface Found {
  name: string
  value: string | number | boolean
  written: string
  at: number
}

/** `key=value` of Java's properties; a backslash before a sign of the key or the value is left out. */
function readProperty(line: string): Found | undefined {
  const found = /^[ \t]*([^#!=:\s][^=:\s]*)[ \t]*[=: \t][ \t]*(.*)$/.exec(line)
  if (!found) return undefined
  const [, name = '', written = ''] = found
  return { name, value: written.trimEnd().replace(/\\(.)/g, '$1'), written, at: line.indexOf(name) }
}

/** `KEY=value` of a file of environment variables. */
function readAssignment(line: string): Found | undefined {
  const found = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)$/.exec(line)
  if (!found) return undefined
  const [, name = '', written = ''] = found
  return { name, value: unquote(written.replace(/[ \t]#.*$/, '').trimEnd()), written, at: line.indexOf(name) }
}

function unquote(written: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(written)
  return quoted ? quoted[2]! : written
}

/** Keys of YAML by how far they are indented. Lists, blocks of text and anything that is no scalar end a path. */
class YamlKeys {
  #path: { indent: number; key: string }[] = []

  next(line: string): Found | undefined {
    const found = /^( *)(["']?)([A-Za-z_][\w.\-/]*)\2:(?:[ \t]+(.*))?$/.exec(line)
    if (!found) {
      if (/^---/.test(line)) this.#path = []
      return undefined
    }
    const [, { length: indent } = '', , key = '', rest = ''] = found
    while ((this.#path.at(-1)?.indent ?? -1) >= indent) this.#path.pop()
    const name = [...this.#path.map(each => each.key), key].join('.')
    this.#path.push({ indent, key })
    const written = rest.replace(/(?:^|[ \t])#.*$/, '').trimEnd()
    if (written === '' || /^[[{]/.test(written)) return undefined
    return { name, value: readScalar(written), written, at: line.indexOf(key) }
  }
}

function readScalar(written: string): string | number | boolean {
  if (/^(?:true|false)$/i.test(written)) return /^t/i.test(written)
  if (/^-?\d{1,15}(?:\.\d{1,9})?$/.test(written)) return Number(written)
  return unquote(written)
}
