/** What the analysis knows of a language's libraries: plain data, compiled from `packs/libraries`. */

/**
 * A call by its full name: `subprocess.run`, `java.sql.Statement.executeQuery`, `new java.io.File`. `*.name` is a method of
 * whatever object; `~type.name` one of the type, or of an object whose type is not known; `/expression/` is a regular expression over the
 * name as far as it is known.
 */
export type CallName = string

/** Where input comes from. */
export interface SourceSpec {
  /** `request` for what a client sends, `argument`, `environment`, `stdin`, … Rules name the kinds that they follow. */
  kind: string
  /** What the path calls it. */
  label: string
  /** Calls that return it. */
  calls?: CallName[]
  /** Text that the receiver of the call must match. */
  receiver?: string
  /** The receiver may also be a variable that a loop or a call gave: a message of a queue. */
  local?: boolean
  /** Full names of types whose methods are not it: a request that the program sends itself. */
  exceptTypes?: string[]
  /** Members that are it, dotted from a module (`flask.request.args`) or from any object (`*.query`); `*.*` is any member that is not named. */
  members?: string[]
  /** Parameters of functions that are it. */
  parameters?: ParameterSpec[]
  /** Of calls: every condition must hold. */
  when?: SinkCondition[]
  /** It is an object that input is asked of, and not input itself. */
  carrier?: boolean
  /**
   * Classes of sink for which it is harmless as it comes: the own address for redirects, header values for headers. With `-undecoded`
   * after its name, a class for which it is harmless until it is decoded; with `-whole`, one for which the table is, and what is taken
   * out of it is not.
   */
  harmless?: string[]
  /** What its text begins with, `\uFFFC` for what is not known but not the sender's either. */
  begins?: string
  /** What the call makes is an object in a state that a rule judges (a parser, a cookie); what it was given goes on beside that. */
  object?: boolean
  /** Its type, by which members and methods of it are found; else the declared one. */
  type?: string
  /** Expression over the full name of something that the file must import. */
  imports?: string
  /** Of members of a type: expression that the text of the file must match. */
  file?: string
  /** Words of which a file with this source has one; by default the last parts of the names. */
  words?: string[]
  /** Words of which a function that asks for it has one; `words` where left out. */
  near?: string[]
  /** It is one only where a rule follows its kind, or the configuration asks for it: elsewhere the call is what it is otherwise. */
  asked?: boolean
  /** A repository's own library or one rule says so: it comes on top of what is known of the code, and hides none of it. */
  adds?: true
}

/** Which parameters; all that is given must hold. */
export interface ParameterSpec {
  /** Simple names of types, `Path<>` for one with types of its own; `` for one that says no more than that it is a text. */
  types?: string[]
  /** No type is declared, or one that says no more than that it is a text. */
  untyped?: true
  /** Names of annotations on the parameter. */
  annotations?: string[]
  /** Expression over the name of a decorator of the function; over `extends Name` for what its class is. */
  decorated?: string
  /** Expression over the name of the function. */
  function?: string
  /** Names of parameters. */
  names?: string[]
  /** Types and defaults that keep it out: `=Depends` for a default that calls Depends. */
  except?: string[]
  /** Of functions that code outside of the file can call (engine/detect/taint/callable.ts). */
  callable?: true
}

/** What takes the danger out of a text, for some classes of sink or for all (`*`). `*.Secure=` is an assignment to the member. */
export interface CleanerSpec {
  calls: CallName[]
  cleans: string[]
  /** Every condition must hold. */
  when?: SinkCondition[]
  /** The object that the method is called on is clean from then on, and not its result alone (`cookie.setSecure(true)`). */
  receiver?: boolean
  /** It is a property that is read, and no call (`url.lastPathComponent`). */
  property?: boolean
}

/** A check after which a text is clean where it held; argument counts from 0, or the receiver. */
export interface GuardSpec {
  calls: CallName[]
  argument: number | 'receiver'
  cleans: string[]
  /** Where the check holds when it is false (`contains("..")`). */
  when?: boolean
  /** The argument that must be a fixed text, and the expression that it must match. */
  fixed?: { argument: number | 'receiver'; matches?: string }
  /** The argument that is a regular expression must let harmless characters through only. */
  expression?: number | 'receiver'
  /** No condition, but a call that throws where the check fails (`int(text)`). */
  raises?: boolean
}

/** A place that values go from or to in a call: its receiver, its result, an argument by number or name, or all of them from a number on. */
export interface MovePlace {
  of: 'receiver' | 'result' | 'argument' | 'arguments'
  at?: number | string
  /** Of the object there. */
  field?: string
}

/** What a call moves, for sure. */
export interface CallMove {
  from: readonly MovePlace[]
  to: readonly MovePlace[]
  /** Every condition must hold. */
  when?: SinkCondition[]
  /** Full names of types of objects that take nothing up: what is written to them is not read there. */
  exceptTypes?: string[]
  /** A repository's own library says so: it comes on top of what is known of the call. */
  adds?: true
}

/** What methods of collections, of texts under construction (`text_…`) and of functions that are objects do, whatever they are called on. */
export const METHOD_ROLES = [
  'append',
  'prepend',
  'insert',
  'extend',
  'take_first',
  'take_last',
  'read_first',
  'read_last',
  'read_at',
  'write',
  'read_key',
  'remove',
  'clear',
  'count',
  'copy',
  'iterate',
  'reorder',
  'keys',
  'values',
  'entries',
  'map',
  /** Its function is given the index of an element besides. */
  'indexed',
  'call',
  'text_append',
  'text_change',
  'text_clear',
  'text_read',
] as const
export type MethodRole = (typeof METHOD_ROLES)[number]

/**
 * The kind of source of rules that ask for no certain one: what comes from where the analysis does not see, such as a parameter, a field, or the
 * result of a call of which nothing is known.
 */
export const UNKNOWN_ORIGIN = 'unknown'

/** What a language's libraries do with text. */
export interface TaintModel {
  languages: string[]
  /** Types are known by their last name where no import says more (Java), or only by their full name (Python's modules). */
  simpleTypes: boolean
  /** Names of functions, methods and types are the same however their letters are written (PHP). */
  foldsNames?: true
  sources: SourceSpec[]
  cleaners: CleanerSpec[]
  guards: GuardSpec[]
  /** Calls whose result carries what goes in, for sure. */
  passes: CallName[]
  /** Calls that move what goes in to other places than the result, or only some of it there. */
  moves?: (CallMove & { calls: CallName[] })[]
  /** Names of methods by what they do. */
  methods?: Partial<Record<MethodRole, string[]>>
  /** Calls whose result carries nothing of what goes in. */
  opaque: CallName[]
  /** Calls that do not come back. */
  ends: CallName[]
  /** Classes of sink for which the result of a call that nothing is known of is taken for clean: look-ups, mostly. */
  unseenCleans?: string[]
  /** An expression over the names of calls that the last says nothing of: they hand on what they are given in another form. */
  unseenPasses?: string
  /** An expression over the names of calls that look up what the program keeps under a name. */
  unseenLookUps?: string
  /** Members of objects of such a type that hold a text encoded, and the classes of sink for which it is clean so. */
  encoded?: { type: string; members: string[]; cleans: string[] }
  /** Calls that decode what they are given, and members that are decoded parts. */
  decodes?: { calls: CallName[]; members: string[] }
  /** Files answer requests by themselves: what stands outside of functions is followed like a function. */
  runsFiles?: true
  /** Calls whose result shows their first argument: what a check of it, or of a member of it, cleans the argument for. */
  views?: { calls: CallName[]; cleans: string[] }[]
  /** Classes of sink for which a text that is put together is clean: those that take objects. */
  textCleans?: string[]
  /** Types of results. */
  returns: Record<CallName, string>
  /** What all of a result looks like that is not the sender's: nothing where it may be empty, `\uFFFC` for a name that is not known. */
  stands?: Record<CallName, string>
  /** Values of named constants, by full name. */
  constants?: Record<string, string | number | boolean>
  /** Expressions over what stands for text of the program's own, such as names of tables, where nothing is known of it; for these classes of sink, or for all. */
  ownText?: { text: string; classes?: string[] }[]
  /** Types that cannot hold text. */
  plainTypes: string[]
  /** Types by what the analysis makes of them. */
  lists: string[]
  maps: string[]
  texts: string[]
  /** Maps that take two keys (section and name). */
  sections: string[]
  /** Types that only hold another one, which is called through them (`Arc<Client>`). */
  wrappers?: string[]
  /** Settings that a call makes, for sinks that depend on them: the named setting takes the argument's text. */
  settings: { calls: CallName[]; setting: string; argument: number | string; when?: SinkCondition[] }[]
  /** Settings that an assignment makes, be it after the sink: to a member, or to an element whose key matches. */
  lateSettings?: { writes: string[]; key?: string; setting: string }[]
  /** Calls whose first argument, and annotations whose text, is the key of a value in a file of settings. */
  settingsReads?: { calls?: CallName[]; annotations?: string[] }[]
}

/** A place where input does harm. */
export interface SinkSpec {
  /** The kinds of source that count here, of those of the rule; all of them where left out. */
  from?: string[]
  calls?: CallName[]
  /** Arguments from 0, `receiver`, names of keyword arguments, or `{key}` of a map among them; all of them where left out. */
  arguments?: (number | string)[]
  /** Expression over the text of the receiver. */
  receiver?: string
  /** Assignments to a member (`*.innerHTML`, `flask.Response.headers`) or to any element of one (`flask.session[]`). */
  writes?: string[]
  /** Of `writes` to elements: an expression over the key. */
  key?: string
  /** What functions return that have such a decorator (an expression over its name). */
  returned_by?: string
  /** Every condition must hold. */
  when?: SinkCondition[]
  /** Of `returned_by`: an expression over the declared type of the result. */
  result_type?: string
  /**
   * Harmless unless the text is known to begin with what this expression matches. One with `\uFFF8` also sees texts that begin with a part of
   * unknown origin: `\uFFF8`, and behind it the fixed parts in their order.
   */
  needs_prefix?: string
  /** Harmless where the text begins with what this expression matches. */
  unless_prefix?: string
  /** Harmless where the named setting matches. */
  unless_setting?: Record<string, string>
  /** Harmless where the text of the function, of the file, or of the function's head (annotations, those of its class among them) matches. */
  unless_function?: string
  unless_file?: string
  unless_head?: string
  /** Harmless unless the function's head matches. */
  needs_head?: string
  /** Harmless where the text after the call matches: what is asked of the result at once. */
  unless_followed?: string
  /** Harmless within a call, its name from the dot on and the beginning of its arguments, that matches: a route that no browser opens. */
  unless_within?: string
  /** Expression over the full name of something that the file must import. */
  needs_import?: string
  /** `command`: of a list, its program, or all of it where the program is a shell; `text`: lists and maps that the program made are harmless. */
  form?: 'command' | 'text'
  /** A repository's own library says so: it reports, and says nothing of what the call gives. */
  adds?: true
}

/** A condition on an argument of the sink. */
export interface SinkCondition {
  /** From 0, or the name of a keyword argument; several name the same one. */
  argument: number | string | (number | string)[]
  /** Its fixed text, number or truth value matches; a text that is not known does not. */
  matches?: string
  /** What is known of it, all of it or how it begins, matches. */
  begins?: string
  /** Its fixed text does not match; a text that is not known does not either. */
  not?: string
  /** Its fixed text matches, or is not known. */
  may?: string
  /** It is not given. */
  absent?: boolean
  /** Its value is not written in the call itself. */
  indirect?: boolean
  /** How it is written matches. */
  written?: string
}
