import type { Finding, FlowStep } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { DroppedPlace } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { Match } from '../../detect/rules/match.ts'
import { GUESSED, SEEN } from '../../detect/taint/rules.ts'
import { toFinding } from '../merge.ts'
import type { CrossFileRequest, CrossFileResult } from './follow.ts'
import { LinkedFiles } from './linked.ts'
import type { Place } from './memory.ts'
import { listNotices } from './notices.ts'
import type { FollowedFiles } from './search.ts'
import type { Targets } from './targets.ts'

/** Functions of other files that a dropped finding names. */
const MOST_FUNCTIONS = 5

/** What is reported of files that input was followed in. */
export function reportFollowed(request: CrossFileRequest, followed: FollowedFiles): CrossFileResult {
  const report = new Report(request)
  for (const node of followed.nodes) report.add(node)
  return { ...report.result(request.found ?? []), notices: listNotices(followed) }
}

/** Collects what came of files: findings, and what becomes of those that were found in files by themselves. */
class Report {
  readonly #request: CrossFileRequest
  readonly #targets: Targets
  readonly #findings: Finding[] = []
  readonly #excluded: CrossFileResult['excluded'] = []
  readonly #gone = new Map<string, DroppedPlace['functions']>()
  readonly #surer = new Set<string>()

  constructor(request: CrossFileRequest) {
    this.#request = request
    this.#targets = new LinkedFiles(request, new Map(request.files.map(file => [file.path, file]))).targets
  }

  add({ file, entry, before: way, followed, settled }: FollowedFiles['nodes'][number]): void {
    const { matches, excluded } = settled?.result ?? followed
    for (const { rule, lines } of excluded)
      this.#excluded.push({ rule: this.#request.rules[rule]!.id, file: file.path, lines })
    // Apart from the identities of what the search of the file itself found.
    const from = entry ? 'from another file' : 'returned by another file'
    const { before = [], gone = [], surer = [] } = settled?.result ?? {}
    const equals = new Map<string, number>()
    matches.forEach((match, index) => {
      const count = entry ? 0 : (equals.get(match.fingerprint) ?? 0)
      equals.set(match.fingerprint, count + 1)
      this.#report(file, match, [...way, ...(before[index] ?? [])], { from, count })
    })
    for (const place of gone) this.#gone.set(this.#formatPlace(file.path, place), this.#listCalled(file, place))
    for (const place of surer) this.#surer.add(this.#formatPlace(file.path, place))
  }

  /** `found` is what was found in files by themselves. */
  result(found: readonly Finding[]): Omit<CrossFileResult, 'notices'> {
    const listKeys = ({ rule_id, file, line, column, also = [], flow: [from] = [] }: Finding): string[] =>
      from ? [rule_id, ...also].map(rule => formatPlace(rule, file, { line, column, from })) : []
    const isIn = (places: Pick<ReadonlySet<string>, 'has'>, weights: readonly number[]) => (finding: Finding) => {
      const keys = weights.includes(finding.confidence) ? listKeys(finding) : []
      return keys.length > 0 && keys.every(key => places.has(key))
    }
    const gone = new Map(
      found.filter(isIn(this.#gone, [GUESSED, SEEN])).map(finding => [finding, this.#gone.get(listKeys(finding)[0]!)!]),
    )
    const surer = new Map(found.filter(isIn(this.#surer, [GUESSED])).map(finding => [finding, SEEN]))
    return { findings: this.#findings, excluded: this.#excluded, gone, surer }
  }

  #report(
    { path, in_test, language }: SourceFile,
    match: Match,
    before: readonly FlowStep[],
    { from, count }: { from: string; count: number },
  ): void {
    const rule = this.#request.rules[match.rule]!
    if (!this.#request.applies(rule.id, path)) return
    const finding = toFinding(rule, match, { path, language: language!, in_test }, this.#request.controls)
    const fingerprint = computeFingerprint(rule.id, path, `${from}: ${match.fingerprint}`, count)
    const flow = [...before, ...finding.flow!]
    this.#findings.push({ ...finding, id: `F-${fingerprint.slice(0, 12)}`, fingerprint, flow })
  }

  /** The functions of other files that the input of a place was passed to. */
  #listCalled({ path, language }: SourceFile, { callees = [] }: Place): DroppedPlace['functions'] {
    const called = callees
      .flatMap(callee => this.#targets.find(path, language!, callee))
      .map(({ path: file, names }) => ({ file, name: names.join('.') || 'default' }))
    return [...new Map(called.map(each => [JSON.stringify(each), each])).values()].slice(0, MOST_FUNCTIONS)
  }

  #formatPlace(path: string, { rule, callees: _, ...place }: Place): string {
    return formatPlace(this.#request.rules[rule]!.id, path, place)
  }
}

function formatPlace(
  rule: string,
  file: string,
  { line, column, from }: { line: number; column: number; from: { line: number; column: number } },
): string {
  return JSON.stringify([resolveRuleId(rule), file, line, column, from.line, from.column])
}
