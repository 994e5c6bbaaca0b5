import { detectLanguageOfText } from '../../base/languages/languages.ts'
import { compareFindings, type Finding } from '../../base/records/finding.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import { type Completed, completeSnippet } from '../../detect/snippets/complete.ts'
import { findSnippetModel } from '../../detect/snippets/models.ts'
import type { GovernedContext } from '../../governance/context.ts'
import { type Performed, perform } from '../perform.ts'
import { describeAssumptions, describeUnknown } from './describe.ts'
import { restoreFinding } from './restore.ts'
import type { UnknownOrigin } from './unknown-schema.ts'

/** Code that is given as text. */
interface Snippet {
  code: string
  /** Repository-relative. */
  filename: string
  config_overrides?: Record<string, unknown>
}

/** What was found in a snippet, and what nothing is known of. */
export interface SnippetScan extends Pick<Performed, 'run' | 'rules'> {
  /** Sorted by compareFindings; the message of one that rests on an assumption says so. */
  findings: Finding[]
  unknown_origins: UnknownOrigin[]
}

/**
 * Scans code that is given as text. Where it uses names that it declares nowhere, or is no whole file, it is scanned again with the lines
 * that a whole file would have (`completeSnippet`), and what that finds besides is added at its place in the code. Names of which nothing is
 * known are scanned as untrusted input, to say which of them reach a severe sink; that is no finding.
 */
export async function scanSnippet(given: Snippet, context: GovernedContext): Promise<SnippetScan> {
  // A byte order mark is no part of what a person sees, and lines that are put in stand behind none.
  const snippet = { ...given, code: given.code.replace(/^\uFEFF/, '') }
  const { code, filename } = snippet
  const { findings: own, run, rules } = await performOn(snippet, context)
  const language = detectLanguageOfText(filename, code.split('\n', 1)[0]!)
  const model = language === null ? undefined : findSnippetModel(language)
  const { assumed, unknown, fault } = model ? completeSnippet(code, language!, model) : {}
  // What the settings have to say was said by the first scan.
  const again = { ...context, notice: () => {} }
  // What was not evaluated in one of the scans is not known of the code.
  const missed = new Map<string, NotEvaluated>()
  const miss = (more: readonly NotEvaluated[]) => {
    for (const each of more) {
      const key = `${each.rule_id} ${each.reason}`
      if (!missed.has(key)) missed.set(key, each)
    }
  }
  miss(run.not_evaluated)
  if (fault) {
    context.notice(fault.detail)
    const following = rules.filter(({ type, languages }) => type === 'taint' && languages.includes(language!))
    miss(following.map(({ id }) => ({ rule_id: resolveRuleId(id), file: filename, ...fault })))
  }
  const scanAs = async ({ inserted }: Completed) => {
    const scanned = await performOn({ ...snippet, code: inserted.code }, again)
    miss(scanned.run.not_evaluated)
    return scanned.findings
  }
  const findIn = async (completed: Completed) =>
    (await scanAs(completed)).flatMap(finding => {
      const restored = restoreFinding(finding, completed.inserted)
      return restored ? [describeAssumptions(restored, completed, code)] : []
    })
  const findings = assumed ? mergeFindings(own, await findIn(assumed)) : own
  const unknown_origins = unknown ? listUnknown(await scanAs(unknown), unknown, findings) : []
  return { findings, run: { ...run, not_evaluated: [...missed.values()] }, rules, unknown_origins }
}

function performOn({ code, filename, config_overrides }: Snippet, context: GovernedContext): Promise<Performed> {
  return perform(
    { repo_path: '.', files: { [filename]: code }, ...(config_overrides && { config_overrides }) },
    context,
  )
}

/** The findings of both; of two of one rule at one place the surer one, which knows more of where the value comes from. */
function mergeFindings(own: readonly Finding[], more: readonly Finding[]): Finding[] {
  const all = [...own]
  const indexes = new Map(own.map((finding, index) => [namePlace(finding), index]))
  for (const finding of more) {
    const index = indexes.get(namePlace(finding))
    if (index === undefined) indexes.set(namePlace(finding), all.push(finding) - 1)
    else if (all[index]!.confidence < finding.confidence) all[index] = finding
  }
  return all.sort(compareFindings)
}

/** The severe sinks that names of unknown origin reach, without those that have a finding. */
function listUnknown(
  tainted: readonly Finding[],
  { inserted, unknown }: Completed,
  findings: readonly Finding[],
): UnknownOrigin[] {
  const found = new Set(findings.map(namePlace))
  return tainted.flatMap(finding => {
    const name = unknown.get(finding.flow?.[0]?.line ?? 0)?.name
    const restored = restoreFinding(finding, inserted)
    const isSevere = finding.severity === 'critical' || finding.severity === 'high'
    if (name === undefined || !restored || !isSevere || finding.status !== 'open') return []
    return found.has(namePlace(restored)) ? [] : describeUnknown(restored, name)
  })
}

function namePlace({ rule_id, line, column }: Finding): string {
  return `${rule_id} ${line}:${column}`
}
