import {
  type Category,
  type ControlRef,
  compareFindings,
  type Finding,
  rankSeverity,
  type Severity,
} from '../base/records/finding.ts'
import { combineControls, combineForms, groupForms, type RuleFacts } from '../base/records/forms.ts'
import type { PackedRule, RuleType } from '../base/records/rule.ts'
import { countToReview, type RuleTexts, type Run } from '../base/records/run.ts'
import type { PartlyReason, SkipReason } from '../base/records/source-file.ts'
import { formatCount } from '../base/text/words.ts'

/** What a report says about a rule. */
export interface ReportRule {
  id: string
  pack_id: string
  title: string
  message: string
  severity: Severity
  remediation: string
  references: readonly string[]
  cwe: readonly string[]
  tags: readonly string[]
  controls: readonly ControlRef[]
  category?: Category
  /** Left out for a rule that no longer exists. */
  type?: RuleType
  /** Languages that the rule looks at; `any` for every text file. Left out for a rule that no longer exists. */
  languages?: readonly string[]
  /** Ids that it had before it was one rule in all languages, of those that the run had. */
  former?: readonly string[] | undefined
}

/** A framework whose controls the rules bear on, by its id. */
export interface ReportFramework {
  name: string
  version: string
}

/** All data of a report; a format renders it and reads nothing else. */
export interface ReportModel {
  run: Run
  /** In the order of `compareFindings`. */
  findings: readonly Finding[]
  /** Every rule that the run evaluated, by id. Rules that findings name and that are missing here are made from the findings. */
  rules: ReadonlyMap<string, ReportRule>
  /** By framework id. */
  frameworks: ReadonlyMap<string, ReportFramework>
  /** Set where the report is about one framework, by its id: only then the score is a share of what the report is about. */
  framework?: string
  /** SOURCE_DATE_EPOCH: stands for both times of the run, and the duration is then 0. */
  source_date?: Date
  /** Told what a format had to leave out, in a sentence for a person. */
  notice?: (text: string) => void
  /** What was kept of texts about the rules, where they are those of `rules`. */
  texts?: RuleTexts
}

/** A piece of a report: a text, or one that is in UTF-8 already. */
export type Piece = string | Uint8Array

/** The text of a piece. */
export function toText(piece: Piece): string {
  return typeof piece === 'string' ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString()
}

/**
 * The rules by the ids that findings have. The controls that a rule bears on come from the framework packs, so they are given beside the rules.
 * Long texts are read when they are asked for.
 */
export function toReportRules(
  rules: Iterable<PackedRule>,
  controls: ReadonlyMap<string, readonly ControlRef[]>,
): Map<string, ReportRule> {
  const all = new Map<string, ReportRule>()
  for (const [id, forms] of groupForms(rules)) all.set(id, new ScannedRule(id, forms, controls))
  return all
}

/** A rule by its forms. What it says is put together when it is asked for: most rules have found nothing, and little is said of these. */
class ScannedRule implements ReportRule {
  readonly id: string
  readonly #forms: readonly PackedRule[]
  readonly #controls: ReadonlyMap<string, readonly ControlRef[]>
  #facts: RuleFacts | undefined

  constructor(id: string, forms: readonly PackedRule[], controls: ReadonlyMap<string, readonly ControlRef[]>) {
    this.id = id
    this.#forms = forms
    this.#controls = controls
  }

  get pack_id(): string {
    return this.#said.pack_id
  }

  get title(): string {
    return this.#said.title
  }

  get message(): string {
    return this.#said.message
  }

  get severity(): Severity {
    return this.#said.severity
  }

  get remediation(): string {
    return this.#said.remediation
  }

  get references(): readonly string[] {
    return this.#said.references
  }

  get cwe(): readonly string[] {
    return this.#said.cwe
  }

  get tags(): readonly string[] {
    return this.#said.tags
  }

  get category(): Category {
    return this.#said.category
  }

  get type(): RuleType {
    return this.#said.type
  }

  get languages(): readonly string[] {
    return this.#said.languages
  }

  get controls(): readonly ControlRef[] {
    return combineControls(this.#forms, this.#controls)
  }

  get former(): readonly string[] | undefined {
    const former = this.#forms.map(form => form.id).filter(key => key !== this.id)
    return former.length > 0 ? former : undefined
  }

  get #said(): RuleFacts {
    this.#facts ??= combineForms(this.#forms)
    return this.#facts
  }
}

/**
 * The model as the formats need it: findings in the one order, rules in the order of their ids with one for each finding
 * (a run outlives the rules that made it), and the run's times replaced where SOURCE_DATE_EPOCH asks for it.
 */
export function complete(model: ReportModel): ReportModel {
  const rules = new Map(model.rules)
  for (const finding of model.findings) if (!rules.has(finding.rule_id)) rules.set(finding.rule_id, ruleFrom(finding))
  const date = model.source_date?.toISOString()
  return {
    ...model,
    texts: rules.size === model.rules.size ? model.texts : undefined,
    run: date ? { ...model.run, started_at: date, finished_at: date, duration_ms: 0 } : model.run,
    findings: isSorted(model.findings) ? model.findings : [...model.findings].sort(compareFindings),
    rules: new Map([...rules].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Worst first: open before held back, then severity, confidence and place. */
export function compareWorst(a: Finding, b: Finding): number {
  return (
    Number(a.status !== 'open') - Number(b.status !== 'open') ||
    rankSeverity(a.severity) - rankSeverity(b.severity) ||
    b.confidence - a.confidence ||
    compareFindings(a, b)
  )
}

/** Whether the run had a file in one of the rule's languages; a rule without any found nothing because it looked at nothing. */
export function hadFiles(rule: ReportRule, run: Run): boolean {
  return !rule.languages || rule.languages.some(name => name === 'any' || Object.hasOwn(run.counts.languages, name))
}

/** SOURCE_DATE_EPOCH (reproducible-builds.org): whole seconds since 1970; undefined where it is unset or no such number. */
export function parseSourceDate(epoch: string | undefined): Date | undefined {
  if (!epoch || !/^\d{1,11}$/.test(epoch)) return undefined
  return new Date(Number(epoch) * 1000)
}

/** Findings that rules set aside by their own `exclude_files`, or as code that a rule file quotes. */
export function countExcluded({ excluded_by_rule = [] }: Run): number {
  return excluded_by_rule.reduce((sum, { findings }) => sum + findings, 0)
}

/** Findings that functions of other files disproved. */
export function countDropped({ dropped_across_files = [] }: Run): number {
  return dropped_across_files.reduce((sum, { findings }) => sum + findings, 0)
}

/** What was scanned partly and what rules set aside, in one line; empty where there is neither. */
export function setAsideText(run: Run): string {
  const reasons = [...groupBy(run.partly ?? [], ({ reason }) => reason)].map(
    ([, files]) => `${files.length} ${REASONS[files[0]!.reason]}`,
  )
  const count = countExcluded(run)
  const dropped = countDropped(run)
  const toReview = countToReview(run.to_review)
  const parts = [
    reasons.length > 0 && `${formatCount(run.partly!.length, 'file')} partly scanned (${reasons.join(', ')})`,
    count > 0 && `${formatCount(count, 'finding')} excluded by ${formatCount(run.excluded_by_rule!.length, 'rule')}`,
    dropped > 0 && `${formatCount(dropped, 'finding')} dropped, by functions of other files`,
    toReview > 0 && `${formatCount(toReview, 'place')} to review, by ${formatCount(run.to_review!.length, 'rule')}`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Why rules were not evaluated, and files skipped, in words. */
export const REASONS: Record<Run['not_evaluated'][number]['reason'] | SkipReason | PartlyReason, string> = {
  no_grammar: 'no grammar for the language',
  timed_out: 'timed out',
  too_large_to_parse: 'too large to parse',
  too_deep: 'nested too deeply',
  too_costly: 'step limit reached',
  parse_failed: 'parser error',
  not_understood: 'syntax that the grammar does not support',
  rule_failed: 'rule error',
  no_provider: 'no provider is configured',
  no_data: 'no data',
  scanner_failed: 'the external scanner gave no result',
  scanner_not_run: 'the external scanner was not run',
  binary: 'binary',
  too_large: 'larger than the limit',
  minified: 'minified',
  unreadable: 'could not be read',
  undecodable: 'not in a known text encoding',
  generated: 'marked as generated',
  vendored: 'vendored',
  own_file: 'written by svc',
  lfs_pointer: 'stored in Git LFS',
  mixed_encoding: 'two text encodings in one file',
  not_evaluated: 'not every rule was evaluated',
  excluded: 'excluded by the configuration',
  symlink: 'a symbolic link that is not followed',
  special: 'not a regular file',
  submodule_absent: 'a submodule that is not checked out',
  submodule_changed: 'a submodule that the change adds or updates',
  version_control: 'data of a version control system',
  nested_repository: 'a nested repository',
  sparse: 'outside the sparse checkout',
  archive: 'an archive: its files were scanned for secrets only',
  archive_part: 'an archive: only some of its files were scanned for secrets',
  archive_damaged: 'an archive that could not be read completely',
  vanished: 'in the index, but not on disk',
  crashed: 'svc crashed on it twice',
}

/** Groups in the order of their keys. */
export function groupBy<T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = key(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

function ruleFrom(finding: Finding): ReportRule {
  const {
    rule_id: id,
    pack_id,
    title,
    message,
    base_severity: severity,
    remediation,
    cwe,
    tags,
    controls,
    category,
  } = finding
  return { id, pack_id, title, message, severity, remediation, references: [], cwe, tags, controls, category }
}

function isSorted(findings: readonly Finding[]): boolean {
  for (let i = 1; i < findings.length; i++) if (compareFindings(findings[i - 1]!, findings[i]!) > 0) return false
  return true
}
