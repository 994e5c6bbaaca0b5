import { Positions } from '../../base/text/positions.ts'
import type { ReleaseFacts, SharedRelease } from '../rules/release-facts.ts'
import type { Span } from '../taint/ir.ts'
import { Body } from './body.ts'
import { CALLS, type CallIndex, type NamedCall } from './call-index.ts'
import { type Release, readHead } from './releases.ts'
import { isUsedAgain } from './used-again.ts'

/** A file of C or C++ as its functions were found. */
export interface SharedFile {
  path: string
  text: string
  functions: readonly Span[]
  calls: CallIndex
  /** Names of macros that are like those of releases. */
  macros: ReadonlySet<string>
  releases: ReadonlyMap<string, Release>
}

/** More than this is not written before what is indented. */
const MOST_INDENTED = 80

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inc|ipp|inl|tcc)$/i

/** What other files need to know of the releases of a file, and it of theirs; undefined where that is nothing. */
export function collectReleaseFacts(file: SharedFile): ReleaseFacts | undefined {
  const { text, functions, calls, macros } = file
  const unknown = new Set(macros)
  const own = new Set(macros)
  const shared = new Map<string, Release>()
  const within: { span: Span; calls: NamedCall[] }[] = []
  for (const span of functions) {
    if ((calls.within(span) & CALLS.RELEASES) === 0) continue
    const named = calls.list(span, CALLS.RELEASES | CALLS.FREES)
    const brace = text.indexOf('{', span.start)
    const [first] = named
    if (first && first.start < brace) {
      own.add(first.name)
      const release = isRelease(first) ? readShared(file, span, first.name) : 'own'
      if (release === 'unknown') unknown.add(first.name)
      else if (release !== 'own') shared.set(first.name, release)
    }
    within.push({ span, calls: named.filter(({ start }) => start > brace) })
  }
  const asked = new Set<string>()
  for (const { span, calls } of within)
    if (calls.some(call => isRelease(call) && !own.has(call.name))) findAsked(text, span, calls, own, asked)
  if (shared.size === 0 && unknown.size === 0 && asked.size === 0) return undefined
  const positions = shared.size > 0 ? new Positions(text) : undefined
  const releases = [...shared].map(([name, release]) => locateRelease(positions!, name, release))
  return {
    releases: releases.filter(({ name }) => !unknown.has(name)),
    unknown: [...unknown].sort(),
    asked: [...asked].sort(),
  }
}

function isRelease({ kinds }: NamedCall): boolean {
  return (kinds & CALLS.RELEASES) !== 0
}

/** What a function does for other files: nothing that they can call, what is not known, or a release. */
function readShared({ path, text, releases }: SharedFile, span: Span, name: string): Release | 'own' | 'unknown' {
  const head = readHead(text, span)
  if (head?.name !== name) return 'unknown'
  if (head.isStatic && !HEADER.test(path)) return 'own'
  // A method stands within its class, and is indented; a header of C++ may be called like one of C.
  const isMethod = /\n[ \t]+$/.test(text.slice(Math.max(0, head.begin - MOST_INDENTED), head.begin))
  return head.isWeak || isMethod ? 'unknown' : (releases.get(name) ?? 'unknown')
}

function locateRelease(positions: Positions, name: string, { parameter, at, by }: Release): SharedRelease {
  const [from, to] = [positions.at(at.start), positions.at(at.end)]
  return {
    name,
    parameter,
    line: from.line,
    column: from.column,
    end_line: to.line,
    end_column: to.column,
    ...(by && { by }),
  }
}

/** What is passed to a call, where it is names alone; what is freed may be cast. */
const PASSED = /^\s*\(\s*(?:\([^();]{1,80}\)\s*)?([\w\s,&]{1,200})\)/
const DELETED = /\bdelete(?:\s*\[\s*\]\s*|\s+)(\w+)\s*;/g

/** Longer calls are not read. */
const LONGEST_CALL = 320

/** What a call is given, where these are names alone; and where it ends. */
interface Passing {
  name: string
  /** It is called like a release, and is no function of a library. */
  isUnknown: boolean
  start: number
  end: number
  given: string[]
}

/** Adds to `asked` what a function passes a pointer to that it frees before, or uses again. */
function findAsked(
  text: string,
  { start: from, end: to }: Span,
  calls: readonly NamedCall[],
  own: ReadonlySet<string>,
  asked: Set<string>,
): void {
  const written = text.slice(from, to)
  const body = new Body(written)
  const freed = new Set<string>()
  for (const { name, isUnknown, start, end, given } of listPassing(written, from, calls)) {
    if (isUnknown && !own.has(name) && !asked.has(name))
      if (given.some(each => freed.has(each) || isUsedAgain(body, each, start, end))) asked.add(name)
    for (const each of given) freed.add(each)
  }
}

/** The calls of functions by their names alone, and what is deleted, in order. */
function listPassing(written: string, from: number, calls: readonly NamedCall[]): Passing[] {
  const out: Passing[] = []
  for (const call of calls) {
    const { name, start, end } = call
    const passed = PASSED.exec(written.slice(end - from, end - from + LONGEST_CALL))
    if (!passed || /(?:->|\.|::)\s*$/.test(written.slice(Math.max(0, start - from - 8), start - from))) continue
    const given = passed[1]!.split(',').flatMap(each => /^\s*([A-Za-z_]\w*)\s*$/.exec(each)?.[1] ?? [])
    out.push({
      name,
      isUnknown: isRelease(call),
      start: start - from,
      end: end - from + passed[0].length,
      given,
    })
  }
  if (!written.includes('delete')) return out
  for (const { 0: all, 1: name = '', index } of written.matchAll(DELETED))
    out.push({ name: 'delete', isUnknown: false, start: index, end: index + all.length, given: [name] })
  return out.sort((a, b) => a.start - b.start)
}
