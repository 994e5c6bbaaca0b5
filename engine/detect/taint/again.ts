import type { SgNode } from '@ast-grep/napi'
import type { ActiveRules } from '../rules/active-rules.ts'
import type { RawMatch } from '../rules/match.ts'
import type { Hit } from './analysis.ts'
import { listForms, listKinds, selectRules } from './cross-file.ts'
import { analyzeFile, type Budget } from './file-analysis.ts'
import { type Giving, GivingFunctions } from './giving.ts'
import type { Handover } from './handovers.ts'
import { findAdapter } from './languages/adapters.ts'
import type { Outside } from './outside.ts'
import { findGiving, withCallers } from './roots.ts'
import { knowledgeFor, readDeclared, SEEN } from './rules.ts'
import { indexWords } from './word-index.ts'

/** A place where a rule reported input that it followed from `from` on. Offsets in the text. */
export interface Reported {
  rule: number
  start: number
  from: number
  /** Of what does not reach the sink: functions of other files that the input was passed to. */
  callees?: string[]
}

/** What a file comes to once it is known what functions of other files return. */
export interface KnownReturns {
  /** What reaches a sink by what they return. */
  added: RawMatch[]
  /** What was reported for want of knowing better: it does not reach the sink. */
  gone: Reported[]
  /** What was reported without having been seen on all of its way: now it is. */
  surer: Reported[]
  handovers: Handover[]
  giving: Giving[]
}

/** A file in which all functions with a source are followed, not only those that call others; it is followed twice. */
const BUDGET: Budget = { one: 6_000, file: 40_000, alone: 6_000 }

const NOTHING: KnownReturns = { added: [], gone: [], surer: [], handovers: [], giving: [] }

/**
 * A file with what is known of the functions of other files that it calls by one of these names, beside the same file without: what the two
 * differ in is what that knowledge comes to.
 */
export function followReturns(
  rules: ActiveRules,
  language: string,
  root: SgNode,
  text: string,
  outside: Outside,
  names: readonly string[],
): KnownReturns {
  const adapter = findAdapter(language)
  const knowledge = knowledgeFor(rules, language)
  if (!adapter || !knowledge) return NOTHING
  const module = adapter.lower(root, text)
  const own = selectRules(rules, language)
  const all = listForms(module)
  const calling = withCallers(all, text, language, indexWords(text, language).places([...names]))
  const giving = new Set([...findGiving(module, text, own, language), ...calling])
  const roots = { forms: all.filter(form => giving.has(form)), giving }
  const declared = readDeclared(language, root, text)
  const kinds = listKinds(own)
  const follow = (known: Outside | undefined) => {
    const found = new Map<string, Handover>()
    const given = new GivingFunctions(all, kinds)
    const options = { budget: BUDGET, handovers: { kinds, found }, outside: known, onReturn: given.onReturn }
    const analyzed = analyzeFile(module, text, knowledge, roots, declared, options)
    const hits = new Map(analyzed.hits.filter(({ flow }) => flow.length > 0).map(hit => [placeOf(hit), hit]))
    return { ...analyzed, hits, found, given }
  }
  const [before, after] = [follow(undefined), follow(outside)]
  // Of functions that were not followed to their ends it cannot be told that something is gone.
  const isWhole = [before, after].every(({ alone }) => alone.length === 0)
  const guessed = isWhole ? [...before.hits.values()].filter(({ unsure }) => unsure) : []
  const toReported = ({ rule, start, flow }: Hit): Reported => ({ rule, start, from: flow[0]!.start })
  const callees = new Map<number | undefined, Set<string>>()
  for (const { callee, flow } of before.found.values())
    callees.set(flow[0]?.start, (callees.get(flow[0]?.start) ?? new Set()).add(callee))
  const toGone = (hit: Hit): Reported => ({
    ...toReported(hit),
    callees: [...(callees.get(hit.flow[0]!.start) ?? [])],
  })
  return {
    added: [...after.hits.values()]
      .filter(hit => !hit.unsure && !before.hits.has(placeOf(hit)))
      .map(({ rule, start, end, flow }) => ({ rule, start, end, flow, confidence: SEEN })),
    gone: isWhole ? [...before.hits.values()].filter(hit => !after.hits.has(placeOf(hit))).map(toGone) : [],
    surer: guessed.filter(hit => after.hits.get(placeOf(hit))?.unsure === false).map(toReported),
    handovers: [...after.found.values()],
    giving: after.given.list(),
  }
}

function placeOf({ rule, start, end }: Hit): string {
  return `${rule}:${start}:${end}`
}
