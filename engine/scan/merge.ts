import type { ControlRef, Finding } from '../finding.ts'
import type { InlineIgnore } from '../findings/inline.ts'
import { isTestPath, languageOf } from '../repository/languages.ts'
import type { Skip, SourceFile } from '../repository/source-file.ts'
import { fingerprint } from '../rules/fingerprint.ts'
import type { Match } from '../rules/match.ts'
import type { Pass } from '../rules/prefilter.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import type { FileReport } from './batch.ts'
import type { PlainFiles } from './kept-files.ts'
import type { FileRecord, NotEvaluated, Notice, SilentInTests } from './run.ts'

/** Puts what files came to together. The order in which they come does not show in what comes out. */
export class Merge {
  readonly findings: Finding[] = []
  readonly files: FileRecord[] = []
  readonly skipped: Skip[] = []
  readonly notEvaluated: NotEvaluated[] = []
  /** What is known of files beside what was not evaluated. */
  readonly notices: Notice[] = []
  readonly #silenced = new Map<string, SilentInTests>()
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
  }

  /** Takes what files came to; answers the findings. */
  add(reports: readonly FileReport[]): Finding[] {
    const added: Finding[] = []
    let total = 0
    for (const { file, language, bytes, outcome, skip } of reports) {
      if (skip) this.skipped.push(skip)
      if (!outcome) continue
      const { pass, matches, failures, ignores, silenced = [] } = outcome
      total += bytes
      const { lines, blank_lines, longest_line } = pass
      const record: FileRecord = { path: file.path, language, bytes, lines, blank_lines, longest_line, findings: 0 }
      // What was looked into for secrets alone is not among the files that were scanned.
      if (!skip) this.files.push(record)
      for (const { rule, reason, detail } of failures) {
        if (reason === 'calls_not_followed') {
          this.notices.push({ kind: reason, file: file.path, detail: detail! })
          continue
        }
        const failed: NotEvaluated = { rule_id: this.#rules[rule]!.id, file: file.path, reason }
        if (detail !== undefined) failed.detail = detail
        this.notEvaluated.push(failed)
      }
      if (ignores.length > 0) this.ignores.set(file.path, { language, ignores })
      for (const { rule, count } of silenced) this.#keepSilence(this.#rules[rule]!.id, count, file.path)
      let secrets = 0
      const active = matches.filter(match => this.#applies(this.#rules[match.rule]!.id, file.path))
      const traced = active.filter(({ rule }) => ['taint', 'memory'].includes(this.#rules[rule]!.type))
      for (const match of active) {
        const rule = this.#rules[match.rule]!
        if (traced.length > 0 && isSaidBetter(this.#rules, rule, match, traced)) continue
        record.findings++
        const finding = toFinding(rule, match, placeOf(file, language, match), this.#controls)
        // One secret has one fingerprint in all its places, so its id is that of the place.
        if (rule.type === 'secret')
          finding.id = `F-${fingerprint(match.fingerprint, finding.file, '', secrets++).slice(0, 12)}`
        added.push(finding)
      }
    }
    this.bytes += total
    for (const finding of added) this.findings.push(finding)
    return added
  }

  /** Takes a file that was read and in which nothing was found, not even something that could not be looked for. */
  addPlain(file: SourceFile, language: string, pass: Pass): void {
    const { lines, blank_lines, longest_line } = pass
    this.bytes += file.size
    this.files.push({ path: file.path, language, bytes: file.size, lines, blank_lines, longest_line, findings: 0 })
  }

  /** Takes files in which nothing was found the last time, all at once. */
  takeOver(plain: PlainFiles): void {
    this.plain = plain
    this.bytes += plain.bytes
  }

  #keepSilence(rule_id: string, count: number, path: string): void {
    if (!this.#applies(rule_id, path)) return
    const known = this.#silenced.get(rule_id) ?? { rule_id, findings: 0, files: 0 }
    this.#silenced.set(rule_id, { rule_id, findings: known.findings + count, files: known.files + 1 })
  }

  /** What rules that are silent in tests found there, by rule. */
  silentInTests(): SilentInTests[] {
    return [...this.#silenced.values()].sort((a, b) => (a.rule_id < b.rule_id ? -1 : 1))
  }

  /** A finding that comes from the list of files rather than from inside one. */
  addFinding(finding: Finding): void {
    this.findings.push(finding)
  }
}

/** The file that the match is in; within an archive, behind an exclamation mark. */
function placeOf(
  { path, in_test }: SourceFile,
  language: string,
  { inner }: Match,
): { path: string; language: string; in_test: boolean } {
  if (inner === undefined) return { path, language, in_test }
  return { path: `${path}!${inner}`, language: languageOf(inner) ?? 'text', in_test: in_test || isTestPath(inner) }
}

/** The finding that a rule's match is. */
export function toFinding(
  rule: CompiledRule,
  match: Match,
  file: { path: string; language: string; in_test: boolean },
  controls: ReadonlyMap<string, ControlRef[]>,
): Finding {
  return {
    id: `F-${match.fingerprint.slice(0, 12)}`,
    fingerprint: match.fingerprint,
    rule_id: rule.id,
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
    controls: controls.get(rule.id) ?? [],
    cwe: rule.cwe,
    tags: rule.tags,
    remediation: rule.remediation,
    ...(match.edits && { fix: { edits: match.edits } }),
    ...(match.flow && { flow: match.flow.map(step => ({ file: file.path, ...step })) }),
    status: 'open',
  }
}

/** A rule that looks at the syntax alone has nothing to add where one that follows values found the same weakness in the same code. */
function isSaidBetter(
  rules: readonly CompiledRule[],
  rule: CompiledRule,
  match: Match,
  traced: readonly Match[],
): boolean {
  if (rule.type !== 'ast' && rule.type !== 'regex') return false
  return traced.some(
    other =>
      rules[other.rule]!.cwe.some(cwe => rule.cwe.includes(cwe)) &&
      isBefore(match.line, match.column, other.end_line, other.end_column) &&
      isBefore(other.line, other.column, match.end_line, match.end_column),
  )
}

function isBefore(line: number, column: number, endLine: number, endColumn: number): boolean {
  return line < endLine || (line === endLine && column < endColumn)
}
