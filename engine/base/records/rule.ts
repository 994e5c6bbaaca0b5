import type { Category, Context, Severity } from './finding.ts'
import type { Detector } from './secret-detector.ts'
import type { CleanerSpec, SinkSpec, SourceSpec, TaintModel } from './taint-model.ts'

/** The kinds of rule that detect something in files. */
export const RULE_TYPES = [
  'ast',
  'regex',
  'required_pattern',
  'file_policy',
  'secret',
  'taint',
  'memory',
  'llm',
  'resource',
] as const
export type RuleType = (typeof RULE_TYPES)[number]

/** An example of a rule: the text of a file, and the path it stands at where the path matters. */
export interface Example {
  code: string
  path?: string
}

/** What every rule has, as written in packs/<pack>/rules/<id>.yaml. */
interface RuleBase {
  id: string
  title: string
  /** What an attacker gains or what goes wrong, in one or two sentences. */
  message: string
  severity: Severity
  category: Category
  /** Language names of docs/reference/languages.md; `any` for every text file. */
  languages: string[]
  cwe: string[]
  tags: string[]
  /** How to mend it, with a correct example. */
  remediation: string
  /** Corrected code by language, for a rule of several: a finding shows that of its file's language, behind the remediation. */
  corrected_code?: { languages: string[]; code: string }[]
  references: string[]
  /** Globs of the paths looked at; all where empty. */
  files: string[]
  exclude_files: string[]
  /** Required literals, where the ones derived from the rule are not enough: the file must contain one of them. */
  literals?: string[]
  /** On trial: it runs only where the configuration asks for it (`packs.canary`, or an override of the rule). */
  canary?: true
  /** Where it says nothing: what it finds harms nobody in the code of tests (engine/detect/file/test-code.ts). */
  silent_in?: 'tests'
  /**
   * What it finds is set aside and counted where the code cites a standard (engine/detect/file/citations.ts): that prescribes what the rule asks to replace.
   */
  unless_cited?: true
  /** What it finds is for a reviewer to decide: no finding but a place to review (`to_review` of the run), and no control is judged by it. */
  review?: true
  match: Example[]
  clean: Example[]
}

/** What makes a value harmless for a rule that sees how text is built, and not where its parts come from. */
export const PATTERN_SANITIZERS = ['simple_types'] as const

/** A rule that judges by the looks of code. */
interface PatternRule extends RuleBase {
  /**
   * `simple_types`: text built of fixed text, numbers, truth values, UUIDs, dates and members of enumerations alone is no finding. Where a
   * part's type is not known the confidence is low.
   */
  sanitizers?: (typeof PATTERN_SANITIZERS)[number][]
}

/**
 * What a name may be declared as in a function of C or C++: `array`, followed by a bracket; `local_array`, by a size and what ends or begins its
 * value, behind a type; `pointer`, behind an asterisk, or an array among parameters; `length`, the size of an array.
 */
export const DECLARED = ['array', 'local_array', 'pointer', 'length'] as const
export type Declared = (typeof DECLARED)[number]

/** ast-grep's own rule object, pasted in unchanged. */
export interface AstRule extends PatternRule {
  type: 'ast'
  rule: Record<string, unknown>
  /** A regular expression over the text without which the file is not parsed for this rule: cheap where the literals are common. */
  when?: string
  /**
   * Of a rule for C or C++: what it matches, all that it looks at, and a match of `when` stand in one function, so that no more than the
   * functions in which `when` matches is parsed for it.
   */
  within?: 'function'
  /**
   * Of a rule with `within`: a match of `when` counts only where the name in its first group is declared, or may be, in the function before it,
   * as one of these. Where that group took no part it counts.
   */
  declared?: Declared
  constraints?: Record<string, unknown>
  utils?: Record<string, unknown>
  transform?: Record<string, unknown>
  /** Replacement template over the rule's metavariables; present only where the fix is certain. */
  fix?: string
}

/**
 * What is asked of the text around a match, once the expression has matched: exactly one of `before`, `after` and `anywhere`. The answer is
 * looked up among all places where that expression matches, which are found once a text.
 */
export interface Surrounding {
  /** An expression that matches before the end of the match, the nearest such place counts; `\\1` to `\\9` are texts of the match's groups. */
  before?: string
  /** One that matches behind the match. */
  after?: string
  /** One that matches somewhere in the text. */
  anywhere?: string
  /** No match of this expression stands between. */
  until?: string
  /** Asked only of matches whose text this expression matches. */
  of?: string
  /** It must not be so. */
  not?: true
}

/** A JavaScript regular expression over the file's text; always with the flags g, m and u (v where asked). */
export interface RegexRule extends PatternRule {
  type: 'regex'
  regex: string
  ignore_case: boolean
  /** All of it must hold of a match. */
  where?: Surrounding[]
  /** Contexts in which a match counts; all where empty. */
  contexts: Context[]
  /** Replacement with $1 … $9; present only where the fix is certain. */
  fix?: string
}

/** Every file that the rule applies to (and that contains `when`, where given) must contain `regex`. */
export interface RequiredPatternRule extends RuleBase {
  type: 'required_pattern'
  regex: string
  ignore_case: boolean
  when?: string
}

/** A policy over files as wholes; exactly one of the checks is set. */
export interface FilePolicyRule extends RuleBase {
  type: 'file_policy'
  check:
    | { max_lines: number }
    | { must_contain: string }
    | { must_not_import: string[] }
    /** A glob of which at least one file must exist in the repository. */
    | { required_file: string }
    /** No file may match the rule's `files`. */
    | { forbidden_file: true }
    /** The file's base name must match the expression. */
    | { naming: string }
}

/** A detector of secrets, written in packs/<pack>/detectors/<id>.yaml (engine/sources/packs/detector-file.ts). */
export interface SecretRule extends RuleBase {
  type: 'secret'
  detector: Detector
}

/**
 * Input that reaches a sink, followed through the statements of a file (engine/detect/taint). Without sources it is about the sinks
 * themselves: calls with arguments that are known to be wrong, also where they come by variables.
 */
export interface TaintRule extends RuleBase {
  type: 'taint'
  /** As for a rule of syntax: an expression over the text without which nothing in the file is followed for this rule. */
  when?: string
  /** Class of sink: cleaners say for which classes they clean. */
  class: string
  /** Kinds of source of the language's model that count. */
  sources: string[]
  /** Sources of the rule's own, beside those of the model. */
  own_sources: (Omit<SourceSpec, 'kind'> & { kind?: string })[]
  /** Cleaners of the rule's own. */
  cleaners: Omit<CleanerSpec, 'cleans'>[]
  sinks: SinkSpec[]
  /** A rule about one construct among several of its class: sinks that libraries add are not its own. */
  own_sinks_only?: true
  /** Kinds of source beside its own whose input at a sink is a place to review, where a scan is asked for these. */
  review_sources?: string[]
  /** Kinds of source that the configuration has it follow besides: that they are input is less sure. */
  asked_sources?: string[]
  /** It is followed in a run of its own, which changes nothing of what other rules find. */
  apart?: true
  /** What libraries of the repository's own add to those that come with svc. */
  libraries?: readonly TaintModel[]
}

/** What a function of C or C++ does wrong with memory, found by carrying it out on all of its ways (engine/detect/memory). */
export interface MemoryRule extends RuleBase {
  type: 'memory'
  defects: Defect[]
}

/** A question about each file of the rule, which a language model answers (engine/review/rules). */
export interface LlmRule extends RuleBase {
  type: 'llm'
  /** One question; "yes", with lines that exist, is a finding. */
  question: string
}

/** What is asked of a property of a resource. It holds where one of the checks does; of a list, where it does for one item. */
export interface ResourceCondition {
  /** Names joined by dots, through nested blocks and objects: `metadata_options.http_tokens`. */
  property: string
  /** It is one of these, in any case of the letters. */
  is?: (string | number | boolean)[]
  /** It is given, and is none of these. */
  not?: (string | number | boolean)[]
  /** It matches this regular expression, in any case of the letters. */
  matches?: string
  /** It is a number within these bounds; where both are given, within both. */
  at_most?: number
  at_least?: number
  /** It is a number, a range (`20-25`) or `*`, and one of these is in it. */
  covers?: number[]
  /** With `covers`: the property in which the range ends that begins with this one. */
  until?: string
  /** It is an empty list or text. */
  empty?: true
  /** It is not given: the provider's default is unsafe. */
  absent?: true
}

/** A row of the table of a rule about resources: it reports the property where its condition and all of `and` hold. */
export interface ResourceRow extends ResourceCondition {
  /**
   * Types of resources; another block by its keyword and first label (`data.aws_iam_policy_document`). `*` stands for any part of a name
   * (`google_*_iam_member`, `provider.*`).
   */
  types: string[]
  /** Each nested block of this name is asked for itself, also those that a `dynamic` block makes. */
  within?: string
  and?: ResourceCondition[]
  /** With `and`: the property is the place of the finding, and not the block. */
  location?: 'property'
  /** Said beside the rule's message. */
  note?: string
  /** The expression to put in the value's place; only where that is certain. */
  fix?: string
}

/** Resources of infrastructure with unsafe values or unsafe defaults (engine/detect/resource). */
export interface ResourceRule extends RuleBase {
  type: 'resource'
  resources: ResourceRow[]
}

export type Rule =
  | AstRule
  | RegexRule
  | RequiredPatternRule
  | FilePolicyRule
  | SecretRule
  | TaintRule
  | MemoryRule
  | LlmRule
  | ResourceRule

/** A rule with the pack it came from. Everything is plain data: it crosses threads and is kept by digest. */
export type PackedRule = Rule & { pack_id: string }

/** What a function can do wrong with memory and numbers; rules of the type `memory` name one each. */
export const DEFECTS = [
  'unchecked-null',
  'null-followed',
  'use-after-free',
  'double-free',
  'free-of-stack',
  'leak',
  'open-file',
  'unset',
  'out-of-bounds',
  'overflow',
  'unchecked-index',
  'unchecked-length',
  'allocation-overflow',
  'division',
  'unbounded-copy',
  'unsure-size',
  'maybe-null',
] as const

export type Defect = (typeof DEFECTS)[number]

/**
 * What can show that a control is met: `technical` ones show in code and configuration, `organizational` ones in what
 * people do, so that no clean scan is enough for them.
 */
export const CONTROL_KINDS = ['technical', 'organizational'] as const

export type ControlKind = (typeof CONTROL_KINDS)[number]
