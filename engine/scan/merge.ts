import type { ControlRef, Finding } from '../finding.ts'
import type { InlineIgnore } from '../findings/inline.ts'
import type { Skip } from '../repository/source-file.ts'
import type { Match } from '../rules/match.ts'
import type { CompiledRule } from '../rules/rule-set.ts'
import type { BatchResult } from './pool.ts'
import { decodeMatches, FILE_FIELDS } from './records.ts'
import type { FileRecord, NotEvaluated } from './run.ts'

/** Puts batches' records together. The order in which they come does not show in what comes out. */
export class Merge {
  readonly findings: Finding[] = []
  readonly files: FileRecord[] = []
  readonly skipped: Skip[] = []
  readonly notEvaluated: NotEvaluated[] = []
  readonly ignores = new Map<string, { language: string; ignores: InlineIgnore[] }>()
  bytes = 0

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

  add({ files, records }: BatchResult): Finding[] {
    const own = files.map((file, index): FileRecord | undefined => {
      const at = index * FILE_FIELDS
      const [language, bytes, lines, blank_lines, longest_line] = records.files.subarray(
        at,
        at + FILE_FIELDS,
      ) as unknown as number[]
      if (language === -1) return undefined
      this.bytes += bytes!
      const record = {
        path: file.path,
        language: records.languages[language!]!,
        bytes: bytes!,
        lines: lines!,
        blank_lines: blank_lines!,
        longest_line: longest_line!,
        findings: 0,
      }
      this.files.push(record)
      return record
    })
    this.skipped.push(...records.skips)
    for (const { file, rule, reason, detail } of records.failures) {
      const failed: NotEvaluated = { rule_id: this.#rules[rule]!.id, file: files[file]!.path, reason }
      if (detail !== undefined) failed.detail = detail
      this.notEvaluated.push(failed)
    }
    for (const { file, ignores } of records.ignores)
      this.ignores.set(files[file]!.path, { language: own[file]?.language ?? 'text', ignores })
    const added: Finding[] = []
    for (const match of decodeMatches(records)) {
      const file = files[match.file]!
      const rule = this.#rules[match.rule]!
      if (!this.#applies(rule.id, file.path)) continue
      own[match.file]!.findings++
      added.push(
        toFinding(
          rule,
          match,
          { path: file.path, language: own[match.file]!.language, in_test: file.in_test },
          this.#controls,
        ),
      )
    }
    for (const finding of added) this.findings.push(finding)
    return added
  }

  /** A finding that comes from the list of files rather than from inside one. */
  addFinding(finding: Finding): void {
    this.findings.push(finding)
  }
}

/** The finding that a rule's match is. */
export function toFinding(
  rule: CompiledRule,
  match: Match,
  file: { path: string; language: string; in_test: boolean },
  controls: ReadonlyMap<string, ControlRef[]>,
): Finding {
  const finding: Finding = {
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
    status: 'open',
  }
  if (match.edits) finding.fix = { edits: match.edits }
  return finding
}
