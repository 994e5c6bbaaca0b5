import type { Example } from './rule.ts'
import type { AssumedNames, SnippetModel, Surrounding, UnknownNames } from './snippet-model.ts'
import type {
  CallName,
  CleanerSpec,
  GuardSpec,
  ParameterSpec,
  SinkCondition,
  SinkSpec,
  SourceSpec,
  TaintModel,
} from './taint-model.ts'

/** Words by which a file, or a function in it, is known to have a source, where the names alone do not say. */
export interface SourcePrefilter {
  file?: string[]
  function?: string[]
}

interface EntryBase
  extends Omit<SourceSpec, 'calls' | 'members' | 'parameters' | 'exceptTypes' | 'harmless' | 'words' | 'near'> {
  except_types?: string[]
  /** Kinds of sink for which it is harmless. */
  safe_for?: string[]
  prefilter?: SourcePrefilter
}

/** Calls and members that return untrusted input. */
export type LibrarySource = EntryBase & Pick<SourceSpec, 'calls' | 'members'>

/** Functions that a framework calls with untrusted input. */
export type LibraryHandler = EntryBase & { parameters: (Omit<ParameterSpec, 'decorated'> & { decorators?: string })[] }

/** Calls after which a value is safe for some kinds of sink; `*` is all of them. */
export type LibrarySanitizer = Omit<CleanerSpec, 'cleans'> & { for: string[] }

/** Checks after which a value is safe where they held. */
export interface LibraryValidator {
  calls: CallName[]
  argument: number | 'receiver'
  for: string[]
  /** The result that means safe; true where left out. */
  safe_when?: boolean
  /** The argument that must be a constant, and the expression that it must match. */
  constant?: GuardSpec['fixed']
  /** The argument that is a regular expression, which must let harmless characters through only. */
  pattern?: number | 'receiver'
  /** It throws where the check fails. */
  throws?: boolean
}

/** Calls whose result carries what goes in, or other places where what goes in is found after the call. */
export interface LibraryPropagator {
  calls?: CallName[]
  /** Places that are moved, such as `argument 0` or `receiver`; all arguments where left out. */
  from?: string | string[]
  /** Places that take it up, such as `receiver`; the result where left out. */
  to?: string | string[]
  /** Every condition must hold; of entries with `from` or `to`. */
  when?: SinkCondition[]
  /** Types whose objects take nothing up; of entries with `from` or `to`. */
  except_types?: string[]
  /** Members that are decoded parts. */
  members?: string[]
  /** The result is decoded. */
  decodes?: boolean
  /** The result shows the argument: what checks the result, or a member of it, makes the argument safe for these kinds of sink. */
  views_for?: string[]
}

/** What the language itself brings; in files that come with svc alone. */
export interface LanguageTraits {
  /** Types are known by their last name where no import says more. */
  simple_types?: boolean
  /** Names are the same in any case. */
  folds_names?: boolean
  /** What stands outside functions answers requests. */
  runs_files?: boolean
  /** Kinds of sink for which text that is put together is safe. */
  text_safe_for?: string[]
  /** What becomes of input in calls of which nothing is known. */
  unknown_calls?: { safe_for?: string[]; propagators?: string; look_ups?: string }
  /** Expressions over what programs call text of their own, such as names of tables: of unknown origin it is no finding, of all kinds of sink or of some. */
  own_text?: (string | { text: string; for: string[] })[]
  /** Members of objects of a type that hold text encoded. */
  encoded?: { type: string; members: string[]; for: string[] }
}

/** Code in which something is found with what it is taken for, and code in which nothing is. */
interface SnippetExamples {
  match: string[]
  clean: string[]
}

/** What code without its imports or its function is taken for. */
export interface LibrarySnippets extends Pick<SnippetModel, 'head'> {
  /** Of the library's languages those that it is for; all where left out. */
  languages?: string[]
  names?: (AssumedNames & SnippetExamples)[]
  around?: (Surrounding & SnippetExamples)[]
  unknown?: UnknownNames & SnippetExamples
}

/** A library as its file describes it: `packs/libraries/<language>/<library>.yaml` or `.svc/libraries/<library>.yaml`. */
export interface Library {
  library: string
  languages: string[]
  references?: string[]
  sources?: LibrarySource[]
  handlers?: LibraryHandler[]
  sanitizers?: LibrarySanitizer[]
  validators?: LibraryValidator[]
  propagators?: LibraryPropagator[]
  /** Names of methods of collections by what they do; in files that come with svc alone. */
  methods?: TaintModel['methods']
  /** Calls whose result carries nothing of what goes in. */
  non_propagators?: CallName[]
  /** Calls that do not return. */
  no_return?: CallName[]
  sinks?: (Omit<SinkSpec, 'from'> & { kind: string; from?: string[] })[]
  /** Values of named constants. */
  constants?: Record<string, string | number | boolean>
  /** Types of the results of calls. */
  result_types?: Record<CallName, string>
  /** What a result looks like that is not the sender's. */
  result_texts?: Record<CallName, string>
  types?: {
    plain?: string[]
    lists?: string[]
    maps?: string[]
    texts?: string[]
    sections?: string[]
    wrappers?: string[]
  }
  settings?: { calls: CallName[]; setting: string; argument: number | string; when?: SinkCondition[] }[]
  setting_writes?: { writes: string[]; key?: string; setting: string }[]
  /** How values of files of settings are read by their keys. */
  settings_reads?: { calls?: CallName[]; annotations?: string[] }[]
  language?: LanguageTraits
  /** In files that come with svc alone. */
  snippets?: LibrarySnippets
  match: LibraryExample[]
  clean: LibraryExample[]
}

/** Code in which a rule must report a finding, or must not; of any taint rule of the language where `rule` is left out. */
export type LibraryExample = string | (Example & { rule?: string })
