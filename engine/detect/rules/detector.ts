import type { SgNode } from '@ast-grep/napi'
import type { TextSize } from '../../base/records/file-metrics.ts'
import type { Context, Severity } from '../../base/records/finding.ts'
import type { PackedRule } from '../../base/records/rule.ts'
import type { Part } from '../../base/spent.ts'
import type { OneLine } from '../lexer/layout.ts'
import type { ActiveRules, CompiledRule } from './active-rules.ts'
import type { FileInput, Limits, RuleFailure } from './file-outcome.ts'
import type { RawMatch } from './match.ts'
import type { ReleaseFacts } from './release-facts.ts'
import type { Requirement } from './requirement.ts'

/**
 * What the program must know of a type of rule without loading its detector. Plain data: `npm run generate` copies it to `traits.gen.ts`.
 */
export interface DetectorTraits {
  /** The rule type that the detector evaluates (`type` in a rule file). */
  readonly type: string
  /**
   * Which files its rules search. `any`: every file, and what no other rule is asked about: generated and minified files,
   * archives, files over the size limit. `severe_text`: of a generated, vendored or minified file only rules of a severe level;
   * `severe`: the same, but nothing of a minified file.
   */
  readonly reach: 'any' | 'severe' | 'severe_text'
  /** Which views of a file (`view.ts`) its rules search: those with code, those that hide secrets otherwise, or none. */
  readonly views: 'code' | 'secrets' | 'none'
  /** Its rules need the grammar of the language. */
  readonly parses: boolean
  /** What a match rests on. Where both kinds report the same weakness in the same code, the one with a data-flow path is reported. */
  readonly evidence?: 'pattern' | 'flow'
  /** One analysis serves all its rules of a language, so that rules that are off run along (`CompiledRule.muted`). */
  readonly runsMuted?: true
  /** What identifies a finding in later scans: the code at its location, or the value of a secret, which has one fingerprint in all locations. */
  readonly identity: 'code' | 'value'
}

/** The names of the traits, for whoever copies them. */
export const TRAIT_NAMES = ['type', 'reach', 'views', 'parses', 'evidence', 'runsMuted', 'identity'] as const

/**
 * Evaluates the rules of one type. One directory under engine/detect has one, in `detector.ts` as the default export; `npm run generate`
 * puts it into the registry. Pure: bytes in, matches out.
 */
export interface Detector extends DetectorTraits {
  /** Begins with a text; called when the first of its rules is admitted, or for every text where `beginsAlways`. */
  begin(text: SearchedText): Search
  /** What its time is counted to; `other` where left out. */
  readonly part?: Part
  /** It may have something to do in a text though the literals of none of its rules are there. */
  readonly beginsAlways?: true
  /** Whether the rule looks into files. Where left out, each does; a rule that does not is judged by paths (`PathJudge`). */
  readsContent?(rule: PackedRule): boolean
  /** Lists of strings; of each, `ActiveRules.findSigns` says whether one is in the file. */
  readonly signs?: readonly (() => string[])[]
  /** Strings whose offsets one of its rules asks for (`ActiveRules.prefilter`). One detector at most has them. */
  readonly anchors?: { strings(): string[]; isAskedBy(rule: PackedRule): boolean }
  /** How sure a match is; undefined drops it. Where left out, as sure as the match says, or 1. */
  weigh?(rule: CompiledRule, match: RawMatch, location: Location): number | undefined
}

/** Where a match stands. */
export interface Location {
  readonly inTest: boolean
  /** Its language, and the offsets of the match, in the file or in the view where it was found. */
  readonly language: string
  readonly start: number
  readonly end: number
  /** The syntax tree of that; undefined where it cannot be parsed. Made when it is asked for. */
  getRoot(): SgNode | undefined
  /** Found out when it is asked. */
  getContext(): Exclude<Context, 'test'>
}

/** The trees of a text. Everything stands in each where it stands in the text. */
export interface Trees {
  /** Of the text as it is. */
  readonly whole: SgNode
  /** Without the comments that stand between arguments or operands: rules count arguments, and a comment is one to the grammar. */
  readonly bare: SgNode
}

/** A file's text, or a view of it, as detectors search it. */
export interface SearchedText {
  readonly rules: ActiveRules
  /** Of a view: the file in the language and with the bytes of the view. */
  readonly file: FileInput
  readonly limits: Limits
  /** What the prefilter has just seen: the file's own bytes, or its text in UTF-8. */
  readonly bytes: Uint8Array
  readonly pass: TextSize
  /** As it is. Only once the steps run. */
  readonly text: string
  /** As rules about code read it: without the blocks of a template language. */
  readonly code: string
  /** The code laid out on few lines, where asked for. */
  readonly tidy: OneLine
  /** Notes that a rule was not evaluated, or not wholly. */
  fail(rule: number, reason: RuleFailure['reason'], detail?: string): void
  /** Gives what other files need to know of the text. */
  share(facts: ReleaseFacts | undefined): void
}

/** Asks for the syntax tree: the rule goes on in `TreeSearch.searchTree`. */
export const NEEDS_TREE = Symbol('needs tree')

/** A piece of work over one text. The clock may break it off anywhere: it runs once more after all others, then its rules are "timed out". */
export interface Task {
  /** By their indexes: the rules that were not evaluated where it does not come to its end. Read only then. */
  readonly rules: readonly number[]
  /** What of them was not evaluated; all, where left out. */
  readonly detail?: string
  /** It hands a part of the text to a native parser. */
  readonly parses?: true
  run(): readonly RawMatch[] | typeof NEEDS_TREE
}

/** A detector at work in one text. */
export interface Search {
  /** Takes a rule whose literals are in the text. Gives its task; NEEDS_TREE to parse without one; undefined where a task given before serves it too, or it can match nothing. */
  admit(index: number): Task | typeof NEEDS_TREE | undefined
  /** After all rules were admitted: one more task, that belongs to none of them. */
  conclude?(): Task | undefined
  /** For rules that asked for a tree; undefined where none can. */
  readonly tree?: TreeSearch
}

/** The part of a search that has need of the syntax tree; it runs after all tasks. It is bounded by counts, since no clock can break it off. */
export interface TreeSearch {
  /** Evaluates the rule without the tree of the whole text. Undefined where it cannot. */
  searchParts?(index: number): readonly RawMatch[] | undefined
  /** Whether the text leaves the rule a chance; asked of all its rules before any `searchTree`. A file for which none says yes is not parsed. */
  needsTree(index: number): boolean
  /** Evaluates the rule, or all that share its run when the first is asked for. */
  searchTree(index: number, trees: Trees): readonly RawMatch[]
  /** All its rules are evaluated when the first is asked for. */
  readonly sharesRun?: true
}

/** A fault of a rule that its JSON Schema cannot see, at one of its keys. */
export interface RuleFault {
  key: string
  message: string
}

/** A regular expression of a rule that JavaScript runs over the text of files, with the keys that lead to it. */
export interface RuleExpression {
  path: string[]
  source: string
  ignoreCase: boolean
}

/** What is known of a type of rule when rules are read, before there is a file: `rule-kind.ts` beside the detector. Scans do not load it. */
export interface RuleKind<R extends PackedRule = PackedRule> {
  readonly type: R['type']
  /** What a file must contain for the rule to match, beside its own `literals`. `isFree`: in one of its languages lines may break anywhere. */
  deriveRequirement(rule: R, isFree: boolean): Requirement
  /** All clauses of it are kept, and not only the strongest few. */
  readonly keepsAllClauses?: true
  /** Its expressions. */
  listExpressions(rule: R): RuleExpression[]
  findFaults?(rule: R): RuleFault[]
  /** The rule as it runs, where that is not as it is written. */
  compile?(rule: R): R & Pick<CompiledRule, 'written' | 'vicinity'>
}

/** The files of a repository, by their paths. */
export interface PathList {
  /** Those that one of the globs takes; all where there are none. */
  matching(globs: readonly string[]): Iterable<{ path: string }>
}

/** Judges a repository by the list of its files: `path-judge.ts` beside a detector. It looks into no file. */
export interface PathJudge<R extends PackedRule = PackedRule> {
  readonly type: R['type']
  /** Whether the rule is about the list of files. */
  isAboutPaths(rule: R): boolean
  /** What the rule finds; `isWhole` is false where only a part of the files is listed, and then none can be missing. */
  judge(rule: R, files: PathList, isWhole: boolean): Iterable<{ path: string; note?: string }>
  /** The globs of files whose absence it reports. */
  listRequired(rule: R): string[]
  /** Whether it finds something in an example of this path. */
  firesOn(rule: R, path: string | undefined): boolean
}

/** Severities at which rules search files of every class and shape, where limits name none. */
export const SEVERE: readonly Severity[] = ['critical', 'high']
