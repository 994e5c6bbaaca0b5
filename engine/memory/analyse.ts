import { parse, type SgNode } from '@ast-grep/napi'
import { Syntax } from '../taint/languages/syntax.ts'
import { functionsIn } from './functions.ts'
import { macrosOf } from './macros.ts'
import { TooLong } from './pointers.ts'
import type { Defect, Report } from './reports.ts'
import { FunctionWalk } from './statements.ts'
import { isSuspect } from './suspects.ts'

/** A function longer than this is not carried out. */
const LONGEST = 60_000

/**
 * What the functions of a text of C or C++ do wrong with memory, each by itself, in the order of the places; and the names of those
 * that were too long. A function with something that the grammar does not understand is passed over: its ways are not known.
 */
export function analyseMemory(
  text: string,
  language: 'c' | 'cpp',
  wanted: ReadonlySet<Defect>,
): { reports: Report[]; exhausted: string[] } {
  const reports: Report[] = []
  const exhausted: string[] = []
  const macros = macrosOf(text)
  for (const span of functionsIn(text)) {
    if (!isSuspect(text, span, wanted)) continue
    const own = text.slice(span.start, span.end)
    const name = /(\w+)\s*\([\s\S]*?\)\s*\{/.exec(own)?.[1] ?? 'a function'
    if (own.length > LONGEST) {
      exhausted.push(name)
      continue
    }
    const root = parse(language, own).root()
    const form = root.find({ rule: { kind: 'function_definition' } } as never) as SgNode | null
    if (!form || form.find({ rule: { kind: 'ERROR' } } as never)) continue
    const walk = new FunctionWalk(own, macros)
    try {
      walk.run(new Syntax(form))
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
      exhausted.push(name)
      continue
    }
    for (const { defect, start, end, flow } of walk.found.values())
      reports.push({
        defect,
        start: span.start + start,
        end: span.start + end,
        flow: flow.map(step => ({ start: span.start + step.start, end: span.start + step.end, label: step.label })),
      })
  }
  return { reports: reports.sort((a, b) => a.start - b.start || a.end - b.end), exhausted }
}
