import { posix } from 'node:path'
import { foldSpace } from '../../base/records/fingerprint.ts'
import { Positions } from '../../base/text/positions.ts'
import { type Json, list, map, readElement, readString, readWhole } from './form.ts'

/** What is known of the repository that results are placed in. */
export interface Ground {
  /** Absolute, symlinks resolved, forward slashes. */
  root: string
  /** Whether the repository has a file of this path, scanned or not. */
  has: (path: string) => boolean
}

/** Where a result lies; undefined where it names no file, `outside` where the file is not the repository's. */
export type PlacedUri = { path: string } | { outside: string } | undefined

/** Most base ids that refer to each other; more is a circle. */
const DEEPEST = 8

/**
 * Turns the addresses of one run's files into repository paths (SARIF 2.1.0, 3.4 and 3.14.14): relative ones, those that begin
 * at a base id, `file:` URIs and plain absolute paths, percent-encoded or not, with slashes of either kind. A report that
 * was made where the repository stood at another path (a container, a build machine) is placed by the ends of its paths.
 */
export class Uris {
  readonly #run: Json
  readonly #ground: Ground
  /** Other roots that files were found under. */
  readonly #roots = new Set<string>()

  constructor(run: Json, ground: Ground) {
    this.#run = run
    this.#ground = ground
  }

  /** The file that an artifactLocation means. */
  place(location: Json): PlacedUri {
    const named = readString(location.uri) ? location : map(readElement(this.#run.artifacts, location.index)?.location)
    const uri = readString(named.uri)
    if (uri === undefined) return undefined
    const full = this.#resolve(uri, named.uriBaseId)
    const candidates = [...new Set([decoded(full), full])].map(slashed)
    const inside = candidates.flatMap(candidate => this.#inside(candidate) ?? [])
    const path =
      inside.find(candidate => this.#ground.has(candidate)) ?? this.#moved(candidates) ?? this.#inside(candidates[0]!)
    return path === undefined ? { outside: candidates[0]! } : { path }
  }

  /** The address with its base put before it, where that is known; `%SRCROOT%` and its like mean the repository. */
  #resolve(uri: string, baseId: unknown): string {
    let full = uri
    let id = readString(baseId)
    for (let depth = 0; id !== undefined && depth < DEEPEST && !isAbsolute(full); depth++) {
      const base = map(map(this.#run.originalUriBaseIds)[id])
      const prefix = readString(base.uri) ?? ''
      full = prefix === '' || prefix.endsWith('/') ? prefix + full : `${prefix}/${full}`
      id = readString(base.uriBaseId)
    }
    return full
  }

  /** The repository path; undefined where the address leads elsewhere. */
  #inside(candidate: string): string | undefined {
    let path = posix.normalize(candidate)
    const { root } = this.#ground
    if (isAbsolute(path)) {
      if (path !== root && !path.startsWith(root === '/' ? '/' : `${root}/`)) return undefined
      path = path.slice(root === '/' ? 1 : root.length + 1)
    }
    path = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
    return path === '' || path.includes('\0') || path === '.' || path === '..' || path.startsWith('../')
      ? undefined
      : path
  }

  /** A file of the repository that an absolute path of another machine ends with: two parts at least, or below a root already known. */
  #moved(candidates: readonly string[]): string | undefined {
    for (const candidate of candidates.filter(path => /^(?:[a-z]:)?\//i.test(path))) {
      const parts = posix.normalize(candidate).split('/')
      for (let at = 1; at < parts.length; at++) {
        const path = parts.slice(at).join('/')
        if (!this.#ground.has(path)) continue
        const root = parts.slice(0, at).join('/')
        if (parts.length - at < 2 && !this.#roots.has(root)) continue
        this.#roots.add(root)
        return path
      }
    }
    return undefined
  }
}

/** A place as findings have it: lines and columns from 1, columns in UTF-16 units, the end exclusive. */
export interface Span {
  line: number
  column: number
  end_line: number
  end_column: number
}

/** What of a file's text a region covers. */
export interface Cut {
  span: Span
  /** The text covered, white space folded. */
  folded: string
  /** The lines around it, for a person. */
  snippet: string
}

/**
 * The place of a region (3.30) in a file's text: by lines, else by characters; the first line where it says nothing. What the
 * region leaves out ends with its line, as the standard says. Without the text the region's own numbers and snippet stand.
 */
export function cutRegion(region: Json, content: string | undefined, codePoints: boolean): Cut {
  const quoted = readString(map(region.snippet).text) ?? readString(map(map(region.snippet).rendered).text) ?? ''
  const firstLine = Math.max(1, readWhole(region.startLine) ?? 1)
  if (content === undefined) {
    const lastLine = Math.max(firstLine, readWhole(region.endLine) ?? firstLine)
    const column = Math.max(1, readWhole(region.startColumn) ?? 1)
    const least = lastLine === firstLine ? column : 1
    const end = Math.max(least, readWhole(region.endColumn) ?? least)
    const span = { line: firstLine, column, end_line: lastLine, end_column: end }
    return { span, folded: foldSpace(quoted), snippet: shortened(quoted) }
  }
  const positions = new Positions(content)
  const { start, end } = offsets(region, content, positions, firstLine, codePoints)
  const from = positions.at(start)
  const to = positions.at(end)
  const span = { line: from.line, column: from.column, end_line: to.line, end_column: to.column }
  return { span, folded: foldSpace(content.slice(start, end)), snippet: positions.snippet(from.line, to.line) }
}

function offsets(region: Json, content: string, positions: Positions, firstLine: number, codePoints: boolean) {
  const charOffset = readWhole(region.charOffset)
  if (readWhole(region.startLine) === undefined && charOffset !== undefined && charOffset >= 0) {
    const start = Math.min(content.length, charOffset)
    return { start, end: Math.min(content.length, start + Math.max(0, readWhole(region.charLength) ?? 0)) }
  }
  const lines = positions.at(content.length).line
  const first = Math.min(firstLine, lines)
  const last = Math.min(Math.max(first, readWhole(region.endLine) ?? first), lines)
  const start = columnOffset(content, positions, first, readWhole(region.startColumn) ?? 1, codePoints)
  const endColumn = readWhole(region.endColumn)
  const lineEnd = endOfLine(content, positions.offset(last, 1))
  const end = endColumn === undefined ? lineEnd : columnOffset(content, positions, last, endColumn, codePoints)
  return { start, end: Math.max(start, end) }
}

/** Offset of a column, which counts UTF-16 units or code points (3.14.17); at most the end of the line. */
function columnOffset(
  content: string,
  positions: Positions,
  line: number,
  column: number,
  codePoints: boolean,
): number {
  const start = positions.offset(line, 1)
  const end = endOfLine(content, start)
  let units = Math.max(0, column - 1)
  if (codePoints) units = [...content.slice(start, end)].slice(0, units).join('').length
  return Math.min(end, start + units)
}

function endOfLine(content: string, from: number): number {
  const feed = content.indexOf('\n', from)
  const end = feed === -1 ? content.length : feed
  return end > from && content[end - 1] === '\r' ? end - 1 : end
}

/** The physical locations of a result, in its order; those of the analysis target where it has none. */
export function listLocations(result: Json): Json[] {
  const own = list(result.locations).map(location => map(map(location).physicalLocation))
  const target = map(result.analysisTarget)
  const all = readString(target.uri) || target.index !== undefined ? [...own, { artifactLocation: target }] : own
  return all.filter(location => Object.keys(location).length > 0)
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(path)
}

/** The address without its percent signs; as it is where they do not decode. */
function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

/** Forward slashes, and `file:` URIs as plain paths. A drive keeps its letter: it is in no repository path of another system. */
function slashed(uri: string): string {
  const plain = uri.replaceAll('\\', '/')
  const file = /^file:(?:\/\/(?:localhost)?(?=\/))?(.*)$/i.exec(plain)
  const path = file ? file[1]! : plain
  return path.replace(/^\/(?=[a-z]:\/)/i, '').replace(/^\/\/+/, '/')
}

function shortened(quoted: string): string {
  const lines = quoted.split(/\r?\n/).slice(0, 5)
  return lines.map(line => (line.length > 200 ? `${line.slice(0, 200)}…` : line)).join('\n')
}
