import type { Match } from '../rules/match.ts'
import type { Use } from './uses.ts'

/** A use with the value that stands elsewhere. */
export interface Resolved {
  use: Use
  value: string | number | boolean
}

/** A text as it would be if values stood where they are used. Lines stay as they are. */
export interface Substituted {
  text: string
  /** By line from 1: where a value was put in, in the order of columns. */
  places: ReadonlyMap<number, readonly Place[]>
}

/** Columns from 1, the end exclusive: of the value in the text that was made, and of what stands there in the file. */
interface Place {
  column: number
  end_column: number
  own_column: number
  own_end_column: number
}

/** Longer values are no names, and keys or addresses of this length are rare. */
const LONGEST = 300

/** Puts values in place of what looks them up; undefined where none of them can be written in the language. */
export function substitute(language: string, text: string, resolved: readonly Resolved[]): Substituted | undefined {
  const places = new Map<number, Place[]>()
  let out = ''
  let from = 0
  let [line, lineStart, madeStart] = [1, 0, 0]
  for (const { use, value } of resolved) {
    const { start, end, before = '', after = '' } = use
    const literal = writeLiteral(language, value)
    if (literal === undefined || text.slice(start, end).includes('\n')) continue
    for (let at = text.indexOf('\n', lineStart); at !== -1 && at < start; at = text.indexOf('\n', lineStart)) {
      line++
      lineStart = at + 1
      if (lineStart >= from) madeStart = out.length + (lineStart - from)
    }
    out += text.slice(from, start)
    const column = out.length - madeStart + 1
    out += before + literal + after
    const end_column = out.length - madeStart + 1
    const place = { column, end_column, own_column: start - lineStart + 1, own_end_column: end - lineStart + 1 }
    const own = places.get(line)
    if (own) own.push(place)
    else places.set(line, [place])
    from = end
  }
  return places.size === 0 ? undefined : { text: out + text.slice(from), places }
}

/** A value as the language writes it; undefined for what it cannot say on one line. */
function writeLiteral(language: string, value: string | number | boolean): string | undefined {
  if (typeof value === 'boolean') return language === 'python' ? (value ? 'True' : 'False') : String(value)
  if (typeof value === 'number') return String(value)
  if (value.length > LONGEST || /[\p{Cc}\u2028\u2029]/u.test(value)) return undefined
  // Within single quotes PHP and Ruby fill nothing in.
  if (language === 'php' || language === 'ruby') return `'${value.replace(/[\\']/g, '\\$&')}'`
  if (language === 'hcl' && /[$%]\{/.test(value)) return undefined
  if (language === 'kotlin' && value.includes('$')) return undefined
  const quote = /^(?:(?:java|type)script|tsx|python)$/.test(language) && !value.includes("'") ? "'" : '"'
  return quote + value.replace(quote === '"' ? /[\\"]/g : /\\/g, '\\$&') + quote
}

/** A match in the text that was made, at its place in the file itself. */
export function toOwnPlaces<T extends Pick<Match, 'line' | 'column' | 'end_line' | 'end_column'>>(
  place: T,
  { places }: Substituted,
): T {
  return {
    ...place,
    column: toOwnColumn(places.get(place.line), place.column, false),
    end_column: toOwnColumn(places.get(place.end_line), place.end_column, true),
  }
}

/** Within a value the beginning of what stands there, or its end. */
function toOwnColumn(places: readonly Place[] = [], column: number, isEnd: boolean): number {
  let shift = 0
  for (const { column: from, end_column, own_column, own_end_column } of places) {
    if (column < from || (isEnd && column === from)) break
    if (column < end_column) return isEnd ? own_end_column : own_column
    shift = own_end_column - end_column
  }
  return column + shift
}
