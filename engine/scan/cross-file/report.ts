import type { Finding, FlowStep } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { RuleSet } from '../../detect/file/rule-set.ts'
import type { Match } from '../../detect/rules/match.ts'
import { GUESSED, SEEN } from '../../detect/taint/rules.ts'
import { toFinding } from '../merge.ts'
import type { CrossFileRequest, CrossFileResult } from './follow.ts'
import type { Place } from './memory.ts'
import type { Node } from './search.ts'

/** Collects what came of files: findings, and what becomes of those that were found in files by themselves. */
export class Report {
  readonly #request: CrossFileRequest
  readonly #rules: RuleSet
  readonly #findings: Finding[] = []
  readonly #excluded: CrossFileResult['excluded'] = []
  readonly #gone = new Set<string>()
  readonly #surer = new Set<string>()

  constructor(request: CrossFileRequest, rules: RuleSet) {
    this.#request = request
    this.#rules = rules
  }

  add({ file, entry, before: way, followed, settled }: Node): void {
    const { matches, excluded } = settled?.result ?? followed
    for (const { rule, lines } of excluded)
      this.#excluded.push({ rule: this.#rules.rules[rule]!.id, file: file.path, lines })
    // Apart from the identities of what the search of the file itself found.
    const from = entry ? 'from another file' : 'returned by another file'
    const { before = [], gone = [], surer = [] } = settled?.result ?? {}
    const equals = new Map<string, number>()
    matches.forEach((match, index) => {
      const count = entry ? 0 : (equals.get(match.fingerprint) ?? 0)
      equals.set(match.fingerprint, count + 1)
      this.#report(file, match, [...way, ...(before[index] ?? [])], { from, count })
    })
    for (const place of gone) this.#gone.add(this.#formatPlace(file.path, place))
    for (const place of surer) this.#surer.add(this.#formatPlace(file.path, place))
  }

  /** `found` is what was found in files by themselves. */
  result(found: readonly Finding[]): Omit<CrossFileResult, 'notices'> {
    const isIn = (places: ReadonlySet<string>, weights: readonly number[]) => (finding: Finding) => {
      const { rule_id, file, line, column, confidence, also = [], flow = [] } = finding
      const [from] = flow
      if (!weights.includes(confidence) || !from) return false
      return [rule_id, ...also].every(rule => places.has(formatPlace(rule, file, { line, column, from })))
    }
    const gone = new Set(found.filter(isIn(this.#gone, [GUESSED, SEEN])))
    const surer = new Map(found.filter(isIn(this.#surer, [GUESSED])).map(finding => [finding, SEEN]))
    return { findings: this.#findings, excluded: this.#excluded, gone, surer }
  }

  #report(
    { path, in_test, language }: SourceFile,
    match: Match,
    before: readonly FlowStep[],
    { from, count }: { from: string; count: number },
  ): void {
    const rule = this.#rules.rules[match.rule]!
    if (!this.#request.applies(rule.id, path)) return
    const finding = toFinding(rule, match, { path, language: language!, in_test }, this.#request.controls)
    const fingerprint = computeFingerprint(rule.id, path, `${from}: ${match.fingerprint}`, count)
    const flow = [...before, ...finding.flow!]
    this.#findings.push({ ...finding, id: `F-${fingerprint.slice(0, 12)}`, fingerprint, flow })
  }

  #formatPlace(path: string, { rule, ...place }: Place): string {
    return formatPlace(this.#rules.rules[rule]!.id, path, place)
  }
}

function formatPlace(
  rule: string,
  file: string,
  { line, column, from }: { line: number; column: number; from: { line: number; column: number } },
): string {
  return JSON.stringify([resolveRuleId(rule), file, line, column, from.line, from.column])
}
