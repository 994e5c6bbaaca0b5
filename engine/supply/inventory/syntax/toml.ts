import { parse, TomlError } from 'smol-toml'
import { ManifestFault } from '../parsed.ts'
import type { Fields } from './shape.ts'

/** The tables of a TOML text. Throws ManifestFault with the line. */
export function readToml(text: string): Fields {
  try {
    return parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as Fields
  } catch (error) {
    if (error instanceof TomlError) {
      const reason = error.message.replace(/^Invalid TOML document: /, '').split('\n')[0]
      throw new ManifestFault(`invalid TOML: ${reason}`, error.line)
    }
    throw new ManifestFault('TOML is nested too deeply')
  }
}

/** The lines of the headers of an array of tables, `[[package]]`, in their order. */
export function findTableLines(text: string, header: string): number[] {
  const wanted = `[[${header}]]`
  return text.split('\n').flatMap((line, at) => (line.startsWith(wanted) ? at + 1 : []))
}

/** Parts of a table's name that are looked at. */
const MOST_PARTS = 20

/**
 * Finds the lines of keys directly in a table, `[dependencies]`; a table of its own, `[dependencies.name]`, counts as a key. One pass over the
 * text serves all tables.
 */
export function compileTomlKeys(text: string): (table: string) => ReadonlyMap<string, number> {
  const tables = new Map<string, Map<string, number>>()
  const add = (table: string, key: string, line: number) => {
    const keys = tables.get(table) ?? new Map<string, number>()
    tables.set(table, keys)
    if (!keys.has(key)) keys.set(key, line)
  }
  let [current, line] = ['', 0]
  for (const raw of text.split('\n')) {
    line++
    const content = raw.trim()
    if (content.startsWith('[')) {
      const end = content.indexOf(']')
      current = content
        .slice(0, end === -1 ? undefined : end)
        .replace(/^\[+/, '')
        .trim()
      let dot = current.indexOf('.')
      for (let part = 0; dot !== -1 && part < MOST_PARTS; dot = current.indexOf('.', dot + 1), part++)
        add(current.slice(0, dot), unquote(current.slice(dot + 1)), line)
      continue
    }
    const key = /^("[^"]*"|'[^']*'|[\w-]+)\s*[.=]/.exec(content)?.[1]
    if (key !== undefined) add(current, unquote(key), line)
  }
  return table => tables.get(table) ?? new Map()
}

function unquote(key: string): string {
  return key.replace(/^["']|["']$/g, '')
}
