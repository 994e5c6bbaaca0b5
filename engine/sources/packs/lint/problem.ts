import type { Place } from '../../../base/errors.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import type { DraftRule } from '../import/draft.ts'
import type { Pack } from '../pack.ts'
import type { PlaceOf } from '../parse.ts'

/** What `lint-pack` looks for, each with what it means for whoever writes the pack. */
export const CHECKS = {
  invalid: 'what the format does not allow',
  'example-broken': 'an example that fails',
  'few-examples': 'fewer than three examples of what is found, or of what is not',
  'no-literal': 'a rule without a required literal searches every file of its languages',
  'slow-regex': 'a regular expression with catastrophic backtracking (ReDoS)',
  'fires-on-itself': 'a pattern that matches its own rule file',
  'fires-on-comment': 'a pattern that matches comments as code',
  'fires-on-prose': 'a pattern that matches prose as code',
  'broad-glob': 'a glob that matches every path',
  'duplicate-rule': 'two rules with the same pattern',
  'duplicate-id': 'a duplicate id',
  'unknown-control': 'a control, rule or tag that does not exist',
  'empty-control': 'a control that nothing bears on: no rule, and nothing to show',
  'no-rationale': 'a mapping without a reason',
  'header-clause': 'a heading of the framework used for what belongs to its clauses',
  'concentrated-control': "more than a fifth of a pack's mappings on one control",
  'no-source': 'a framework without a source URL',
  'unused-entry': 'an entry of a library that no file of the repository uses',
  'unused-exception': 'an exception that nothing needs',
} as const
export type Check = keyof typeof CHECKS

/** One complaint, at its place. */
export interface Problem {
  check: Check
  /** The rule or control that it is about; the pack where neither. */
  on: string
  message: string
  file: string
  /** From 1; left out where the place is not known. */
  line?: number
  column?: number
}

/** A rule with where it was written and the text of that file. */
export interface LintedRule extends Pick<DraftRule, 'place'> {
  rule: CompiledRule
  text: string
}

/** What is linted: a pack that could be read, rule by rule. */
export interface Subject {
  pack: Pack
  /** Where what stands under a path of pack.yaml's keys was written. */
  place: PlaceOf
  rules: readonly LintedRule[]
  /** Every other pack that there is. */
  others: readonly Pack[]
  /** How long the analysis of one expression may take; what is not decided by then is left to a scan's deadlines. */
  regex_ms?: number
  /** Examples were proven before. */
  isProven?: boolean
}

/** A problem at a place. */
export function makeProblem(check: Check, on: string, message: string, { file, line, column }: Place): Problem {
  return { check, on, message, file, ...(line === undefined ? {} : { line, column }) }
}
