import { EngineError, type Fault } from '../../../base/errors.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import type { DraftRule } from '../import/draft.ts'
import { makeOwnDraft } from '../import/own.ts'
import type { Source } from '../import/source.ts'
import { boundTaintRule } from '../libraries/bounded-rule.ts'
import type { LintException, Pack } from '../pack.ts'
import { readPack, readRule } from '../parse.ts'
import { findRuleNamed, type RuleNamed } from '../taken-sinks.ts'
import { lintControls } from './controls.ts'
import { type LintedRule, makeProblem, type Problem, type Subject } from './problem.ts'
import { lintRule } from './rules.ts'

/** What came of linting a pack. */
export interface Linted {
  pack_id: string
  rules: number
  controls: number
  /** By file and place. */
  problems: Problem[]
  /** Problems that the pack accepts, each with its reason. */
  accepted: (Problem & { reason: string })[]
}

/** A pack as it was written, the text of each of its files by the name that places use, and every pack that there is. */
export interface LintSource {
  source: Source
  texts: ReadonlyMap<string, string>
  packs: readonly Pack[]
  /** The examples of these very texts were proven when svc was built: they are not run again. */
  isProven?: boolean
  /** Rules of the pack that its text does not have. */
  made?: readonly CompiledRule[]
}

/**
 * Looks for what makes a pack of svc's own format fire wrongly, run slowly or claim more than it shows. What the format does
 * not allow is a problem like any other; PACK_INVALID only where the YAML itself cannot be read. `regex_ms` bounds the
 * analysis of each expression.
 */
export async function lintPack(
  { source, texts, packs, isProven = false, made = [] }: LintSource,
  regex_ms?: number,
): Promise<Linted> {
  const draft = makeOwnDraft(source, undefined)
  const problems: Problem[] = []
  const read = async <T>(on: string, work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      problems.push(
        ...faultsOf(error).map(({ message, place }) =>
          makeProblem('invalid', on, message, place ?? { file: draft.file }),
        ),
      )
      return undefined
    }
  }
  const packId = String(draft.head.id)
  const head = await read(packId, () => readPack(draft.head, draft.file, draft.place))
  const named = findRuleNamed(draft.rules)
  const rules: LintedRule[] = []
  for (const written of draft.rules) {
    const text = texts.get(written.file) ?? ''
    // The expressions of a pack that comes with svc are known to be bounded.
    if (!packs.some(({ id }) => id === packId))
      for (const { message, place } of boundTaintRule(written.data, written.place).faults)
        problems.push(makeProblem('slow-regex', String(written.data.id), message, place!))
    const rule = await read(String(written.data.id), () => ruleOf(written, text, packId, named))
    if (rule) rules.push({ rule, place: written.place, text })
  }
  const file = draft.file
  for (const rule of made) rules.push({ rule, place: () => ({ file }), text: '' })
  if (head) {
    const others = packs.filter(({ id }) => id !== packId)
    const subject: Subject = { pack: head, place: draft.place, rules, others, regex_ms, isProven }
    problems.push(...lintControls(subject))
    for (const rule of rules) problems.push(...(await lintRule(rule, subject)))
  }
  const { open, accepted, unused } = excepted(problems, head?.lint_exceptions ?? [])
  for (const at of unused) {
    const { check, on } = head!.lint_exceptions[at]!
    const what = on.length > 0 ? `${check} on ${on.join(', ')}` : check
    const where = draft.place(['lint_exceptions', String(at), 'check'], 'value')
    open.push(makeProblem('unused-exception', packId, `nothing needs the exception for ${what}`, where))
  }
  return {
    pack_id: packId,
    rules: rules.length,
    controls: head?.controls.length ?? 0,
    problems: open.sort(compare),
    accepted,
  }
}

/** A rule, or a detector of secrets, which has a form of its own. */
async function ruleOf(
  { data, file, place }: DraftRule,
  text: string,
  packId: string,
  named: RuleNamed,
): Promise<CompiledRule> {
  if ('type' in data || !('provider' in data)) return readRule(data, file, packId, place, named)
  const { parseDetector } = await import('../detector-file.ts')
  return parseDetector(new TextEncoder().encode(text), file, packId)
}

/** Checks whose outcome depends on the rules that other packs have today, or on what the file is called. */
const VARYING = new Set(['concentrated-control', 'fires-on-itself'])

/** Problems parted by the exceptions of the pack, and the indexes of exceptions that none needed. */
function excepted(problems: readonly Problem[], exceptions: readonly LintException[]) {
  const used = new Set<number>()
  const open: Problem[] = []
  const accepted: Linted['accepted'] = []
  for (const each of problems) {
    const at = exceptions.findIndex(
      ({ check, on }) => check === each.check && (on.length === 0 || on.includes(each.on)),
    )
    if (at < 0) open.push(each)
    else {
      used.add(at)
      accepted.push({ ...each, reason: exceptions[at]!.reason })
    }
  }
  return {
    open,
    accepted,
    unused: exceptions.flatMap(({ check }, at) => (used.has(at) || VARYING.has(check) ? [] : at)),
  }
}

function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof EngineError) || error.code !== 'PACK_INVALID') throw error
  return error.faults.length > 0 ? error.faults : [{ message: error.message, place: error.place }]
}

function compare(a: Problem, b: Problem): number {
  return (
    (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0)
  )
}
