import { detectLanguage, isTestPath } from '../base/languages/languages.ts'
import type { FileMetrics } from '../base/records/file-metrics.ts'
import type { ControlRef, Finding } from '../base/records/finding.ts'
import { computeFingerprint } from '../base/records/fingerprint.ts'
import { remediationIn } from '../base/records/remediation.ts'
import { describeRuleId, resolveRuleId } from '../base/records/rule-ids.ts'
import type { DroppedPlace, FileRecord, NotEvaluated, Notice } from '../base/records/run.ts'
import type { FileClass, PartlyScanned, Skip, SourceFile } from '../base/records/source-file.ts'
import { formatCount } from '../base/text/words.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { RuleFailure } from '../detect/rules/file-outcome.ts'
import type { InlineIgnore } from '../detect/rules/inline.ts'
import type { Match, MatchAlias } from '../detect/rules/match.ts'
import { findTraits } from '../detect/rules/traits.ts'
import type { FileReport } from './batch.ts'
import { makeBetterSaid } from './better-said.ts'
import type { PlainFiles } from './kept-files.ts'
import { SharedReleases } from './releases/shared-releases.ts'
import { SetAside } from './set-aside.ts'

/** Puts what files came to together. The order in which they come does not show in what comes out. */
export class Merge {
  readonly findings: Finding[] = []
  /** What rules with `review` found, beside the findings. */
  readonly toReview: Finding[] = []
  readonly files: FileRecord[] = []
  /** What files of C and C++ need to know of each other. */
  readonly releases = new SharedReleases()
  readonly skipped: Skip[] = []
  readonly partly: PartlyScanned[] = []
  readonly notEvaluated: NotEvaluated[] = []
  /** What is known of files beside what was not evaluated. */
  readonly notices: Notice[] = []
  /** What rules found and do not report, counted. */
  readonly aside: SetAside
  readonly ignores = new Map<string, { language: string; ignores: InlineIgnore[] }>()
  bytes = 0
  /** Files that were taken over as they were, beside `files`. */
  plain: PlainFiles | undefined

  readonly #rules: readonly CompiledRule[]
  readonly #controls: ReadonlyMap<string, ControlRef[]>
  readonly #applies: (rule: string, path: string) => boolean

  /** `applies` says whether a rule is on for a path: folders may choose packs of their own. */
  constructor(
    rules: readonly CompiledRule[],
    controls: ReadonlyMap<string, ControlRef[]>,
    applies: (rule: string, path: string) => boolean,
  ) {
    this.#rules = rules
    this.#controls = controls
    this.#applies = applies
    this.aside = new SetAside(applies)
  }

  /** Takes what files came to; answers the findings. */
  add(reports: readonly FileReport[]): Finding[] {
    const added: Finding[] = []
    let total = 0
    for (const { file, language, bytes, outcome, skip, partly } of reports) {
      if (skip) this.skipped.push(skip)
      if (!outcome) continue
      const { pass, matches, failures, ignores, silenced = [], excluded = [], releases } = outcome
      total += bytes
      const record: FileRecord = { path: file.path, language, bytes, ...pass, findings: 0 }
      this.#noteState(file.path, partly, failures)
      // An archive has neither lines nor a language of its own.
      if (!isOpenedArchive(partly)) this.files.push(record)
      for (const { rule, reason, detail } of failures) {
        if (reason === 'calls_not_followed') {
          this.notices.push({ kind: reason, file: file.path, detail: detail! })
          continue
        }
        const failed: NotEvaluated = { rule_id: resolveRuleId(this.#rules[rule]!.id), file: file.path, reason }
        if (detail !== undefined) failed.detail = detail
        this.notEvaluated.push(failed)
      }
      if (releases) this.releases.add({ file, language, facts: releases })
      if (ignores.length > 0) this.ignores.set(file.path, { language, ignores })
      for (const { rule, count } of silenced) this.aside.addSilent(this.#rules[rule]!.id, count, file.path)
      for (const { rule, lines } of excluded) this.aside.addExcluded(this.#rules[rule]!.id, file.path, lines)
      let secrets = 0
      const active = matches.flatMap(match => this.#pickApplied(match, file.path) ?? [])
      const sure = active.filter(match => !this.#rules[match.rule]!.review)
      const isSaidBetter = makeBetterSaid(this.#rules, sure)
      // What a finding says of the line is not for a reviewer to decide once more.
      const isReported = ({ cwe }: CompiledRule, { line }: Match) =>
        sure.some(other => other.line === line && this.#rules[other.rule]!.cwe.some(id => cwe.includes(id)))
      for (const match of active) {
        const rule = this.#rules[match.rule]!
        if (isSaidBetter(match)) continue
        const finding = toFinding(rule, match, placeOf(file, language, match), this.#controls)
        if (rule.review) {
          if (!isReported(rule, match)) this.toReview.push(finding)
          continue
        }
        record.findings++
        // One secret has one fingerprint in all its places, so its id is that of the place.
        if (findTraits(rule)?.identity === 'value')
          finding.id = `F-${computeFingerprint(match.fingerprint, finding.file, '', secrets++).slice(0, 12)}`
        added.push(finding)
      }
    }
    this.bytes += total
    for (const finding of added) this.findings.push(finding)
    return added
  }

  /**
   * The match, with those of its aliases that are on for the path; named by the first of them where its own rule is off there. Undefined
   * where none is on.
   */
  #pickApplied(match: Match, path: string): Match | undefined {
    const isOn = this.#applies(this.#rules[match.rule]!.id, path)
    if (!match.also) return isOn ? match : undefined
    const { also, ...alone } = match
    const on = also.filter(({ rule_id }) => this.#applies(rule_id, path))
    if (isOn) return on.length > 0 ? { ...alone, also: on } : alone
    const [first, ...rest] = on
    if (!first) return undefined
    const rule = this.#rules.findIndex(({ id }) => id === first.rule_id)
    if (rule === -1) return undefined
    const { confidence, fingerprint } = first
    return { ...alone, rule, confidence, fingerprint, ...(rest.length > 0 && { also: rest }) }
  }

  /** Takes a file that was read and in which nothing was found, not even something that could not be looked for. */
  addPlain(file: SourceFile, language: string, pass: FileMetrics): void {
    this.bytes += file.size
    this.files.push({ path: file.path, language, bytes: file.size, ...pass, findings: 0 })
  }

  /** Takes files in which nothing was found the last time, all at once. */
  takeOver(plain: PlainFiles): void {
    this.plain = plain
    this.bytes += plain.bytes
  }

  /** Notes a file that not all rules searched to the end. */
  #noteState(path: string, partly: FileReport['partly'], failures: readonly RuleFailure[]): void {
    if (partly) this.partly.push({ path, ...partly })
    else if (failures.some(isNotEvaluated)) {
      const rules = new Set(failures.filter(isNotEvaluated).map(({ rule }) => rule)).size
      this.partly.push({ path, reason: 'not_evaluated', detail: `${formatCount(rules, 'rule')} not evaluated` })
    }
  }

  /**
   * Takes findings of input that was followed from other files; answers them. Where a rule that looks at the syntax alone has the same weakness in
   * the same code, its finding is taken out, and named by the other: what holds it in a baseline or suppresses it holds the other too.
   */
  addFollowed(findings: readonly Finding[]): Finding[] {
    if (findings.length === 0) return []
    const indexes = new Map(this.#rules.map(({ id }, index) => [id, index]))
    const taken = new Set<Finding>()
    const added = findings.flatMap((finding): Finding | Finding[] => {
      const { also: names = [], also_fingerprints: others = [] } = finding
      const rule = [finding.rule_id, ...names].map(id => indexes.get(id)).find(index => index !== undefined)
      if (rule === undefined) return finding
      if (this.#rules[rule]!.review) {
        this.toReview.push(finding)
        return []
      }
      const isSaidBetter = makeBetterSaid(this.#rules, [{ ...finding, rule }])
      const same = this.findings.filter(({ file, rule_id, also = [], ...place }) => {
        const index = [rule_id, ...also].map(id => indexes.get(id)).find(found => found !== undefined)
        return file === finding.file && index !== undefined && isSaidBetter({ ...place, rule: index })
      })
      for (const each of same) taken.add(each)
      if (same.length === 0) return finding
      return {
        ...finding,
        also: [...new Set([...names, ...same.flatMap(({ rule_id, also = [] }) => [rule_id, ...also])])],
        also_fingerprints: [
          ...others,
          ...same.flatMap(({ fingerprint, also_fingerprints = [] }) => [fingerprint, ...also_fingerprints]),
        ],
      }
    })
    const left = this.findings.filter(finding => !taken.has(finding))
    this.findings.length = 0
    for (const finding of [...left, ...added]) this.findings.push(finding)
    return added
  }

  /**
   * Takes out findings that are known not to be so, with the functions of other files that show it, and counts them; gives others the confidence
   * that they have since all of their way was seen.
   */
  settle(gone: ReadonlyMap<Finding, DroppedPlace['functions']>, surer: ReadonlyMap<Finding, number>): void {
    if (gone.size === 0 && surer.size === 0) return
    const records = new Map(this.files.map(record => [record.path, record]))
    for (const [{ rule_id, file, line }, functions] of gone) {
      const record = records.get(file)
      if (record) record.findings--
      this.aside.addDropped(rule_id, { file, line, functions })
    }
    const left = this.findings.filter(finding => !gone.has(finding))
    this.findings.length = 0
    for (const finding of left) {
      const confidence = surer.get(finding)
      this.findings.push(confidence === undefined ? finding : { ...finding, confidence })
    }
  }

  /** A finding that comes from the list of files rather than from inside one. */
  addFinding(finding: Finding): void {
    this.findings.push(finding)
  }
}

/** Taint analysis function by function is analysis all the same. */
function isNotEvaluated({ reason }: RuleFailure): boolean {
  return reason !== 'calls_not_followed'
}

/** Whether a file was opened as an archive: it has no lines of its own, and no record. */
export function isOpenedArchive(partly: FileReport['partly']): boolean {
  return partly !== undefined && (partly.reason.startsWith('archive') || partly.reason === 'timed_out')
}

/** The file that the match is in; within an archive, behind an exclamation mark. */
function placeOf({ path, in_test, class: file_class }: SourceFile, language: string, { inner }: Match): FoundIn {
  const classed = file_class && { file_class }
  if (inner === undefined) return { path, language, in_test, ...classed }
  return {
    ...classed,
    path: `${path}!${inner}`,
    language: detectLanguage(inner) ?? 'text',
    in_test: in_test || isTestPath(inner),
  }
}

/** What a finding says of the other rules that report it, behind the key of its own. */
function describeAliases(
  { id }: CompiledRule,
  { fingerprint: own }: Match,
  also: readonly MatchAlias[],
): Pick<Finding, 'also' | 'also_fingerprints'> {
  const others = new Set(also.map(({ fingerprint }) => fingerprint).filter(fingerprint => fingerprint !== own))
  return {
    also: [...(describeRuleId(id).also ?? []), ...also.map(({ rule_id }) => rule_id)],
    ...(others.size > 0 && { also_fingerprints: [...others] }),
  }
}

/** A remediation with the file found in place of `{file}`, quoted for a shell where it needs that. */
function fillInFile(remediation: string, path: string): string {
  const quoted = /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
  return remediation.replaceAll('{file}', () => quoted)
}

/** What a finding says of its file. */
interface FoundIn {
  path: string
  language: string
  in_test: boolean
  file_class?: FileClass
}

/** The finding that a rule's match is. */
export function toFinding(
  rule: CompiledRule,
  match: Match,
  file: FoundIn,
  controls: ReadonlyMap<string, ControlRef[]>,
): Finding {
  return {
    id: `F-${match.fingerprint.slice(0, 12)}`,
    fingerprint: match.fingerprint,
    ...describeRuleId(rule.id),
    ...(match.also && describeAliases(rule, match, match.also)),
    pack_id: rule.pack_id,
    title: rule.title,
    message: match.note === undefined ? rule.message : `${rule.message} (${match.note})`,
    severity: rule.severity,
    base_severity: rule.severity,
    confidence: match.confidence,
    deterministic: match.confidence === 1,
    category: rule.category,
    is_obligation: false,
    file: file.path,
    line: match.line,
    column: match.column,
    end_line: match.end_line,
    end_column: match.end_column,
    snippet: match.snippet,
    language: file.language,
    in_test: file.in_test,
    ...(file.file_class && { file_class: file.file_class }),
    controls: controls.get(rule.id) ?? [],
    cwe: rule.cwe,
    tags: rule.tags,
    remediation:
      rule.type === 'file_policy' ? fillInFile(rule.remediation, file.path) : remediationIn(rule, file.language),
    ...(match.edits && { fix: { edits: match.edits } }),
    ...(match.flow && { flow: match.flow.map(step => ({ file: file.path, ...step })) }),
    status: 'open',
  }
}
