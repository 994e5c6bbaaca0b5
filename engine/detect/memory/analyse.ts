import type { SgNode } from '@ast-grep/napi'
import type { Defect } from '../../base/records/rule.ts'
import type { ReleaseFacts } from '../rules/release-facts.ts'
import { findFunctions } from '../syntax/functions.ts'
import { parseSyntax } from '../syntax/parsed.ts'
import type { Span } from '../taint/ir.ts'
import { Syntax } from '../taint/languages/syntax.ts'
import {
  type FileKnowledge,
  FunctionAnalysis,
  type Left,
  MOST_STEPS,
  MOST_STEPS_OF_FILE,
  type Report,
  TooLong,
} from './analysis.ts'
import { ANY_CALLS, CallIndex, readReleaseName } from './call-index.ts'
import { Directives } from './directives.ts'
import { findEndings } from './endings.ts'
import { readExpansions } from './expansion.ts'
import { collectReleaseFacts } from './facts.ts'
import { readMacros } from './macros.ts'
import { isNullSuspect, listNulls } from './null-suspects.ts'
import { findReleases, type Release } from './releases.ts'
import { walkFunction } from './statements.ts'
import { isSuspect } from './suspects.ts'

/** A function longer than this is not carried out. */
const LONGEST = 60_000

/** Why functions were not carried out, or not to their end. */
export interface Untold {
  reason: 'too_costly' | 'too_deep' | 'parse_failed' | 'not_understood'
  detail: string
  /** Names of the functions, in the order of the text. */
  functions: string[]
}

/** What is known of the files around a text. */
export interface Around {
  /** The text's own path: what other files need to know of it is then collected. */
  path?: string
  /** Functions of other files that free what a parameter points to, with the number of that: only what is by these is reported. */
  elsewhere?: ReadonlyMap<string, number>
}

/** What was found in a text; which functions nothing can be told of, by the reason; and what other files need to know of it. */
export interface Analyzed {
  reports: Report[]
  untold: Untold[]
  facts?: ReleaseFacts | undefined
}

/** What the functions of a text of C or C++ do wrong with memory, each by itself, in the order of the places. */
export function analyzeMemory(
  text: string,
  language: 'c' | 'cpp',
  wanted: ReadonlySet<Defect>,
  { path, elsewhere: others = NONE }: Around = {},
): Analyzed {
  const reports: Report[] = []
  const untold = new Map<string, Untold>()
  const functions = findFunctions(text)
  const directives = new Directives(text)
  let macros: ReadonlySet<string> | undefined
  const readMacroNames = (): ReadonlySet<string> => {
    macros ??= readReleaseMacros(directives)
    return macros
  }
  const calls = new CallIndex(text, functions)
  const collectFacts = (releases: ReadonlyMap<string, Release>) =>
    path === undefined
      ? undefined
      : collectReleaseFacts({ path, text, functions, calls, macros: readMacroNames(), releases })
  // A file that only declares has nothing but what other files need to know of its macros.
  if (functions.length === 0) return { reports, untold: [], facts: collectFacts(new Map()) }
  const all = findReleases(text, functions, calls, readMacroNames)
  const elsewhere = dropOwn(text, readMacroNames, others)
  const releases = new Map([...all].filter(([, { by }]) => !by))
  const file = { macros: readMacros(directives), isEnding: findEndings(text, functions), releases, elsewhere }
  const known = elsewhere.size === 0 ? releases : new Map<string, unknown>([...releases, ...elsewhere])
  const left: Left = { steps: MOST_STEPS_OF_FILE }
  const expansions = readExpansions(directives)
  const nulls = wanted.has('maybe-null') ? listNulls(text) : []
  for (const span of functions) {
    const written = text.slice(span.start, span.end)
    if (others.size > 0 && !mentionsAny(written, elsewhere)) continue
    const expanded = expansions?.expand(written)
    const own = expanded?.text ?? written
    const isWhole = isSuspect(own, { start: 0, end: own.length }, wanted, {
      isExpanded: expanded !== undefined,
      isCpp: language === 'cpp',
      releases: known,
      number: file.macros.number,
      // What a macro calls is not written in the function.
      calls: expanded ? ANY_CALLS : calls.within(span),
    })
    if (!isWhole && !(nulls.length > 0 && isNullSuspect(own, nulls))) continue
    const walked = walk(own, language, file, left, expanded !== undefined)
    if (!Array.isArray(walked)) {
      const known = untold.get(walked.detail)
      if (known) known.functions.push(nameIn(own))
      else untold.set(walked.detail, { ...walked, functions: [nameIn(own)] })
      continue
    }
    const place = (found: Span): Span => {
      const { start, end } = expanded?.toWritten(found) ?? found
      return { start: span.start + start, end: span.start + end }
    }
    for (const { defect, flow, ...found } of walked) {
      const by = others.size > 0 ? [...flow, found].map(each => findCalled(own, each, elsewhere)) : []
      if (others.size > 0 && by.every(name => name === undefined)) continue
      if (isWhole || defect === 'maybe-null')
        reports.push({
          defect,
          ...place(found),
          flow: flow.map((step, at) => ({ ...place(step), label: labelRelease(by[at]) ?? step.label })),
          ...(by.at(-1) !== undefined && { by: by.at(-1) }),
        })
    }
  }
  reports.sort((a, b) => a.start - b.start || a.end - b.end)
  return { reports, untold: [...untold.values()], facts: collectFacts(all) }
}

/** The names of macros of a text that are like those of releases. */
function readReleaseMacros(directives: Directives): ReadonlySet<string> {
  const { text } = directives
  const out = new Set<string>()
  for (const at of directives.list('define')) {
    const behind = at + 'define'.length
    let start = behind
    while (text.charCodeAt(start) === 32 || text.charCodeAt(start) === 9) start++
    const name = start === behind ? undefined : readReleaseName(text, start)
    if (name !== undefined) out.add(name)
  }
  return out
}

const NONE: ReadonlyMap<string, number> = new Map()

/** What a step of a flow is called that is the call of a function of another file. */
export function labelRelease<T extends string | undefined>(name: T): T {
  return (name === undefined ? undefined : `freed by ${name}`) as T
}

/** Without what is called so in the text itself: its own functions and macros, and pointers to functions. */
function dropOwn(
  text: string,
  macros: () => ReadonlySet<string>,
  elsewhere: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  if (elsewhere.size === 0) return elsewhere
  const isOwn = (name: string): boolean =>
    macros().has(name) ||
    new RegExp(`\\(\\s*\\*\\s*${name}\\s*[)[]|\\bstatic\\b[^;{}()]{0,200}\\b${name}\\s*\\(`).test(text)
  return new Map([...elsewhere].filter(([name]) => !isOwn(name)))
}

function mentionsAny(text: string, names: ReadonlyMap<string, unknown>): boolean {
  for (const name of names.keys()) if (text.includes(name)) return true
  return false
}

/** The function of another file that is called at a place of a function's text; undefined where none is. */
function findCalled(own: string, { start, end }: Span, names: ReadonlyMap<string, unknown>): string | undefined {
  const name = /^(\w+)\s*\(/.exec(own.slice(start, end))?.[1]
  return name !== undefined && names.has(name) ? name : undefined
}

/** What the function does wrong, by its own text; or why that cannot be told. */
function walk(
  own: string,
  language: 'c' | 'cpp',
  file: FileKnowledge,
  left: Left,
  isExpanded: boolean,
): Report[] | Omit<Untold, 'functions'> {
  if (own.length > LONGEST) return { reason: 'too_costly', detail: `more than ${LONGEST} characters` }
  const parsed = parseSyntax(language, own)
  if ('reason' in parsed)
    return { reason: parsed.reason === 'too_deep' ? 'too_deep' : 'parse_failed', detail: parsed.detail ?? '' }
  const form = findDefinition(parsed.root)
  // A macro may stand where a function's name and parameters do (`TEST(a, b) { … }`).
  const body = form?.field('body') ?? parsed.root.children().find(node => node.kind() === 'compound_statement')
  if (!body || isGarbled(body)) return { reason: 'not_understood', detail: 'the grammar does not understand it' }
  const analysis = new FunctionAnalysis(own, file, left, isExpanded)
  try {
    walkFunction(analysis, new Syntax(body), form ? new Syntax(form).field('declarator') : undefined)
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
    return { reason: 'too_costly', detail: `more than ${MOST_STEPS} steps, or ${MOST_STEPS_OF_FILE} in the file` }
  }
  return [...analysis.found.values()]
}

/** The definition of the function, which nearly always is the first thing in the text. */
function findDefinition(root: SgNode): SgNode | null {
  const first = root.child(0)
  return first?.kind() === 'function_definition'
    ? first
    : (root.find({ rule: { kind: 'function_definition' } } as never) as SgNode | null)
}

/** Whether the grammar lost its way: not within a call's parentheses alone, where a macro may be given a type or a sign. */
function isGarbled(body: SgNode): boolean {
  const lost = body.findAll({ rule: { kind: 'ERROR' } } as never) as SgNode[]
  return lost.some(node => node.parent()?.kind() !== 'argument_list' || /[;{}]/.test(node.text()))
}

/** More than this is not written before a function's parameters. */
const LONGEST_HEAD = 400

function nameIn(own: string): string {
  return /(\w+)\s*\(/.exec(own.slice(0, LONGEST_HEAD))?.[1] ?? 'a function'
}
