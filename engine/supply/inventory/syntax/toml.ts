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

/** The lines of keys directly in a table, `[dependencies]`; a table of its own, `[dependencies.name]`, counts as a key. */
export function findTomlKeys(text: string, table: string): Map<string, number> {
  const found = new Map<string, number>()
  let [isInside, line] = [table === '', 0]
  for (const raw of text.split('\n')) {
    line++
    const content = raw.trim()
    if (content.startsWith('[')) {
      const header = content.replace(/^\[+|\].*$/g, '').trim()
      isInside = header === table
      if (header.startsWith(`${table}.`)) found.set(unquote(header.slice(table.length + 1)), line)
      continue
    }
    const key = isInside ? /^("[^"]*"|'[^']*'|[\w-]+)\s*[.=]/.exec(content)?.[1] : undefined
    if (key !== undefined && !found.has(unquote(key))) found.set(unquote(key), line)
  }
  return found
}

function unquote(key: string): string {
  return key.replace(/^["']|["']$/g, '')
}
