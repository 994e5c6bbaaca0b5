import { JSON_SCHEMA, loadAll, type YAMLException } from 'js-yaml'
import { ManifestFault } from '../parsed.ts'

/** Aliases that a lock file may have; one that means to grow without end has as many as it likes. */
const MOST_ALIASES = 10_000

/** Values of a text with aliases, each counted as often as it is named: several lock files of the largest monorepos. */
const MOST_VALUES = 2_000_000

/** The documents of a YAML text. One that aliases make far larger than it is written is refused. Throws ManifestFault with the line. */
export function readYaml(text: string): unknown[] {
  let aliases = 0
  for (let at = text.indexOf('*'); at !== -1; at = text.indexOf('*', at + 1))
    if (/[\s,[]/.test(text[at - 1] ?? ' ') && /\S/.test(text[at + 1] ?? ' ')) aliases++
  if (aliases > MOST_ALIASES) throw new ManifestFault(`more than ${MOST_ALIASES} YAML aliases`)
  let documents: unknown[]
  try {
    documents = loadAll(text, undefined, { schema: JSON_SCHEMA })
  } catch (error) {
    const { reason, mark } = error as YAMLException
    if (error instanceof RangeError) throw new ManifestFault('YAML is nested too deeply')
    throw new ManifestFault(`invalid YAML: ${reason ?? 'it cannot be read'}`, mark && mark.line + 1)
  }
  if (aliases > 0 && text.includes('&')) refuseBomb(documents)
  return documents
}

/** Refuses documents whose aliases make a circle or more values than are read. A value that several aliases name is counted once and then known. */
function refuseBomb(documents: unknown[]): void {
  const counts = new Map<object, number>()
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1
    const known = counts.get(value)
    if (known !== undefined) {
      if (known === -1) throw new ManifestFault('a YAML alias leads to what it is a part of')
      return known
    }
    counts.set(value, -1)
    let sum = 1
    for (const each of Array.isArray(value) ? value : Object.values(value)) sum += count(each)
    counts.set(value, sum)
    return sum
  }
  let total: number
  try {
    total = count(documents)
  } catch (error) {
    if (error instanceof RangeError) throw new ManifestFault('YAML is nested too deeply')
    throw error
  }
  if (total > MOST_VALUES) throw new ManifestFault(`YAML aliases make more than ${MOST_VALUES} values`)
}

/** The lines of a mapping's keys that are indented by as many spaces, below the line `section:`. */
export function findYamlKeys(text: string, section: string, indent: number): Map<string, number> {
  const found = new Map<string, number>()
  let [line, isInside] = [0, false]
  for (const content of text.split('\n')) {
    line++
    const first = content.charCodeAt(0)
    // A line without indentation begins the next section.
    if (first !== 0x20 && first > 0x20 && first !== 0x23) isInside = content.startsWith(`${section}:`)
    else if (isInside && countSpaces(content) === indent) {
      const key = readKey(content.slice(indent).trimEnd())
      if (key !== undefined && !found.has(key)) found.set(key, line)
    }
  }
  return found
}

function countSpaces(line: string): number {
  let count = 0
  while (line.charCodeAt(count) === 0x20) count++
  return count
}

function readKey(text: string): string | undefined {
  const quote = text[0]
  if (quote === "'" || quote === '"') {
    const end = text.indexOf(`${quote}:`, 1)
    return end === -1 ? undefined : text.slice(1, end).replaceAll("''", "'")
  }
  const end = text.indexOf(': ') === -1 ? (text.endsWith(':') ? text.length - 1 : -1) : text.indexOf(': ')
  return end === -1 ? undefined : text.slice(0, end)
}
