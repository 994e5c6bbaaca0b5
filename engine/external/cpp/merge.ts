import { SEVERITIES } from '../../base/records/finding.ts'
import { WEAKNESSES } from '../../base/records/weaknesses.ts'
import { CPP_TOOLS, type CppResult } from './results.ts'

/** A result, and the checks of the other analyzer that report the same weakness on the same line. */
export interface MergedResult extends CppResult {
  /** `<tool>:<check>`. */
  also?: string[]
}

/** Numbers that analyzers give what the table of weaknesses has under another one: accesses beyond a buffer, whichever way. */
const OUT_OF_BOUNDS = ['CWE-119', 'CWE-125', 'CWE-126', 'CWE-127', 'CWE-786', 'CWE-788', 'CWE-787', 'CWE-823']
const CLASSES = new Map<string, string>([
  ...WEAKNESSES.flatMap(({ name, cwe }) => cwe.map(number => [number, name] as const)),
  ...OUT_OF_BOUNDS.map(number => [number, 'Buffer overflow'] as const),
])

/**
 * The results of all analyzers and files, each once, sorted. What an analyzer repeats (a header is read with every source that includes it)
 * is one result; so is what both report on the same line of a file as the same weakness: the same CWE, or two of one class of weakness.
 * The more severe one stays, and names the other in `also`.
 */
export function mergeResults(results: readonly CppResult[]): MergedResult[] {
  const distinct = new Map<string, CppResult>()
  for (const result of [...results].sort(compareResults)) {
    const { tool, check, file, line, message } = result
    const key = [tool, check, file, line, message].join('\0')
    if (!distinct.has(key)) distinct.set(key, result)
  }
  const merged: MergedResult[] = []
  /** By line, weakness and analysis: what of it another analysis may still report. */
  const open = new Map<string, { kept: MergedResult; analyses: Set<string> }[]>()
  for (const result of distinct.values()) {
    const weakness = result.cwe && (CLASSES.get(result.cwe) ?? result.cwe)
    const analysis = analysisOf(result)
    const key = `${result.file}\0${result.line}\0${weakness}`
    const waiting = open.get(key) ?? []
    const found = weakness && waiting.find(({ analyses }) => !analyses.has(analysis))
    if (found) {
      found.analyses.add(analysis)
      joinInto(found.kept, result)
      if (found.analyses.size === ANALYSES) waiting.splice(waiting.indexOf(found), 1)
      continue
    }
    const kept: MergedResult = { ...result }
    merged.push(kept)
    waiting.push({ kept, analyses: new Set([analysis]) })
    if (weakness !== undefined) open.set(key, waiting)
  }
  return merged.sort(compareResults)
}

/** How many analyses there are: the two analyzers, and the compiler in one of them. */
const ANALYSES = 3

/** The compiler's warnings, which clang-tidy passes on, are another analysis than its checks. */
function analysisOf({ tool, check }: CppResult): string {
  return check.startsWith('clang-diagnostic-') ? 'clang' : tool
}

/** Makes one of two results, in the place of the first. */
function joinInto(kept: MergedResult, other: CppResult): void {
  const [more, less] = rank(other) < rank(kept) ? [other, { ...kept }] : [{ ...kept }, other]
  const names = [...(kept.also ?? []), `${less.tool}:${less.check}`]
  Object.assign(kept, more, { also: names.sort() })
}

/** Severer first, then in the order of the analyzers. */
function rank({ severity, tool }: CppResult): number {
  return SEVERITIES.indexOf(severity) * CPP_TOOLS.length + CPP_TOOLS.indexOf(tool)
}

function compareResults(a: CppResult, b: CppResult): number {
  return (
    compare(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compare(a.tool, b.tool) ||
    compare(a.check, b.check) ||
    compare(a.message, b.message)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
