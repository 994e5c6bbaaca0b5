import { type } from 'arktype'

const text = type('0 < string <= 2000')
const texts = text.array()
const names = (what: string) => texts.atLeastLength(1).describe(what)
const calls = names('a list of call names such as acme.db.query, *.query, new acme.Query or /expression/')
const kinds = names('a list of kinds of sink such as sql, shell, html, path, url or redirect; * for all')
const place = type('number.integer >= 0 | string > 0').describe('the index of an argument from 0, or its name')
const position = type("number.integer >= 0 | 'receiver'").describe('the index of an argument from 0, or receiver')
const expression = (over: string) => text.describe(`a regular expression over ${over}`)

const Condition = type({
  argument: place.or(place.array()).describe('an argument, or several names for it'),
  'matches?': expression('its constant value'),
  'begins?': expression('its constant value, or what is known of its beginning'),
  'not?': expression('its constant value, which does not match'),
  'may?': expression('its constant value, or a value that is not known'),
  'written?': expression('its source code'),
  'indirect?': type('boolean').describe('true or false: whether its value is not a literal in the call itself'),
  'absent?': type('boolean').describe('true or false: whether the argument is missing'),
  '+': 'reject',
}).describe('a condition on an argument')
const conditions = Condition.array().describe('a list of conditions that must all hold')

const Prefilter = type({
  'file?': names('words of which a file with the source contains at least one'),
  'function?': names('words of which a function that uses the source contains at least one'),
  '+': 'reject',
}).describe('a map of file and function: words that are searched before a file is parsed')

const entry = {
  kind: text.describe('a kind of source: request, argument, environment, stdin, network, page or your own'),
  label: text.describe('the label of the source in the data-flow path, such as HTTP request parameter'),
  'receiver?': expression('the receiver of the method or member'),
  'local?': type('boolean').describe(
    'true or false: whether the receiver may also be a local variable that a loop or a call returned',
  ),
  'except_types?': names('types whose methods are no source'),
  'when?': conditions,
  'carrier?': type('boolean').describe('true or false: whether the object only carries input that its members return'),
  'safe_for?': names('kinds of sink for which this source is harmless'),
  'begins?': type('string').describe('what the value begins with'),
  'object?': type('boolean').describe('true or false: whether the source is an object whose state is tracked'),
  'type?': text.describe('the type of the value, by which its members and methods are found'),
  'asked?': type('boolean').describe(
    'true or false: whether it is a source only where a rule follows its kind or analysis.sources asks for it',
  ),
  'imports?': expression('the full names that a file with the source imports'),
  'file?': expression('the source code of the file'),
  'prefilter?': Prefilter,
} as const

const Source = type({
  ...entry,
  'calls?': calls,
  'members?': names('a list of members such as acme.request.args, or *.acmeParams of any object'),
  '+': 'reject',
}).describe('a source with kind, label and calls or members')

const Parameter = type({
  'types?': type('string').array().describe('a list of simple names of types'),
  'untyped?': type('true').describe('true: no type is declared'),
  'annotations?': names('a list of annotations of the parameter'),
  'decorators?': expression('the decorators of the function; "extends Base" is the base class'),
  'function?': expression('the name of the function'),
  'names?': names('a list of names of parameters'),
  'except?': names(
    'a list of types and names of parameters that are no input; =name for a default value that calls name',
  ),
  '+': 'reject',
}).describe('parameters of functions by type, annotation, decorator, base class or name')

const Handler = type({
  ...entry,
  parameters: Parameter.array().atLeastLength(1).describe('a list of parameters'),
  '+': 'reject',
}).describe('a handler with kind, label and parameters')

const Sanitizer = type({
  calls,
  for: kinds,
  'when?': conditions,
  'receiver?': type('boolean').describe('true or false: whether the call sanitizes the object itself'),
  'property?': type('boolean').describe('true or false: whether it is a property that is read, and no call'),
  '+': 'reject',
}).describe('a sanitizer with calls and for')

const Validator = type({
  calls,
  argument: position,
  for: kinds,
  'safe_when?': type('boolean').describe('true or false: the result that means safe'),
  'constant?': type({ argument: position, 'matches?': expression('the constant'), '+': 'reject' }).describe(
    'the argument that must be a constant',
  ),
  'pattern?': position.describe('the argument that is a regular expression, which must be anchored and harmless'),
  'throws?': type('boolean').describe('true or false: whether the call throws for an invalid value'),
  '+': 'reject',
}).describe('a validator with calls, argument and for')

const moved = (what: string, pattern: RegExp) => {
  const one = type(pattern).describe(what)
  return one.or(one.array().atLeastLength(1)).describe(`${what}, or a list of them`)
}

const Propagator = type({
  'calls?': calls,
  'from?': moved(
    'what is moved: receiver, arguments, argument 0, argument name or arguments from 1, each with .field where it is a field of it',
    /^(?:receiver|arguments(?: from \d{1,2})?|argument (?:\d{1,2}|[A-Za-z_]\w{0,60}))(?:\.[A-Za-z_]\w{0,60})?$/,
  ),
  'to?': moved(
    'where it goes: result, receiver, argument 0, argument name or arguments from 1, each with .field where it is a field of it',
    /^(?:result|receiver|arguments from \d{1,2}|argument (?:\d{1,2}|[A-Za-z_]\w{0,60}))(?:\.[A-Za-z_]\w{0,60})?$/,
  ),
  'when?': conditions,
  'except_types?': names('types of objects that take nothing up, of a propagator with from or to'),
  'members?': names('a list of members that are decoded parts'),
  'decodes?': type('boolean').describe('true or false: whether the result is decoded'),
  'views_for?': names('kinds of sink for which a check of the result validates the argument'),
  '+': 'reject',
}).describe('a propagator with calls')

const Sink = type({
  kind: text.describe('a kind of sink: the class of a taint rule of the language'),
  'from?': names('the kinds of source that count here'),
  'calls?': calls,
  'arguments?': place.array().describe('the arguments that must not be tainted'),
  'receiver?': expression('the receiver of the method'),
  'writes?': names('members or elements that are assigned to'),
  'key?': expression('the key of the assigned element'),
  'returned_by?': expression('the decorators of functions whose return value is the sink'),
  'when?': conditions,
  'needs_import?': expression('the full names that the file imports'),
  'result_type?': expression('the declared return type'),
  'needs_prefix?': expression('the beginning of a harmful string'),
  'unless_prefix?': expression('the beginning of a harmless string'),
  'unless_setting?': type({ '[string]': text }).describe('settings by name, each with a regular expression'),
  'unless_function?': expression('the source code of the function'),
  'unless_file?': expression('the source code of the file'),
  'unless_head?': expression('annotations and signature'),
  'needs_head?': expression('annotations and signature'),
  'unless_followed?': expression('the source code after the call'),
  'unless_within?': expression('an enclosing call'),
  'form?': type("'command' | 'text'").describe('command or text'),
  '+': 'reject',
}).describe('a sink with kind and calls, writes or returned_by')

const Setting = type({ calls, setting: text, argument: place, 'when?': conditions, '+': 'reject' }).describe(
  'a setting that a call makes, for sinks with unless_setting',
)
const SettingWrite = type({
  writes: names('a list of members'),
  'key?': expression('the key of the assigned element'),
  setting: text,
  '+': 'reject',
}).describe('a setting that an assignment makes')

const SettingsRead = type({
  'calls?': calls,
  'annotations?': names('names of annotations with the key in a string, such as Value'),
  '+': 'reject',
}).describe('calls whose first argument, or annotations whose string, is the key of a value in a file of settings')

const Types = type({
  'plain?': names('types that cannot hold text'),
  'lists?': names('types of lists'),
  'maps?': names('types of maps'),
  'texts?': names('types of text builders'),
  'sections?': names('maps that take two keys'),
  'wrappers?': names('types that only hold another one, such as Arc'),
  '+': 'reject',
}).describe('a map of plain, lists, maps, texts, sections and wrappers')

const Traits = type({
  'simple_types?': 'boolean',
  'folds_names?': 'boolean',
  'runs_files?': 'boolean',
  'text_safe_for?': texts,
  'unknown_calls?': { 'safe_for?': texts, 'propagators?': text, 'look_ups?': text, '+': 'reject' },
  'own_text?': text.or({ text, for: texts, '+': 'reject' }).array(),
  'encoded?': { type: text, members: texts, for: texts, '+': 'reject' },
  '+': 'reject',
}).describe('a map of traits of the language, in built-in files only')

const line = text.describe('a line of code in which U+FFFC stands for the name')
const AssumedNames = type({
  names: names('names that code uses without declaring them'),
  means: text.describe('what they stand for, such as the HTTP request of Flask'),
  before: line,
  'written?': expression('the code'),
  match: texts.atLeastLength(1).describe('a list of positive examples, at least one'),
  clean: texts.atLeastLength(1).describe('a list of negative examples, at least one'),
  '+': 'reject',
}).describe('what names stand for in code that does not declare them')
const Surrounding = type({
  before: text.describe('lines in front of the code'),
  after: 'string',
  means: text.describe('what the code is the inside of, such as the body of a method'),
  'written?': expression('what code without a class has in it that is the inside of this'),
  match: texts.atLeastLength(1).describe('a list of positive examples, at least one'),
  clean: texts.atLeastLength(1).describe('a list of negative examples, at least one'),
  '+': 'reject',
}).describe('lines around code that is no whole file')
const Snippets = type({
  'languages?': names('the languages of the library that this is for'),
  'names?': AssumedNames.array(),
  'around?': Surrounding.array(),
  'head?': expression('what stays in front of the lines, such as imports'),
  'unknown?': type({
    before: line,
    'known?': names('names that need no declaration, or /expression/'),
    match: texts.atLeastLength(1).describe('a list of examples with a name of unknown origin in a sink'),
    clean: texts.atLeastLength(1).describe('a list of examples without one'),
    '+': 'reject',
  }).describe('how names of unknown origin are made untrusted input'),
  '+': 'reject',
}).describe('a map of what code without its imports or its function is taken for, in built-in files only')

const Example = type('string')
  .or({ code: 'string', 'path?': text, 'rule?': text, '+': 'reject' })
  .describe('code, or a map of code, path and rule')

/** The file of a library. */
export const LIBRARY = type({
  library: text.describe('the name of the library'),
  languages: names('a list of languages such as python'),
  'references?': names('a list of URLs of its documentation'),
  'sources?': Source.array().describe('a list of sources'),
  'handlers?': Handler.array().describe('a list of handlers: functions that the library calls with untrusted input'),
  'sanitizers?': Sanitizer.array().describe('a list of sanitizers'),
  'validators?': Validator.array().describe('a list of validators'),
  'propagators?': Propagator.array().describe('a list of propagators'),
  'non_propagators?': calls.describe('a list of calls whose result contains nothing of their arguments'),
  'no_return?': calls.describe('a list of calls that do not return'),
  'sinks?': Sink.array().describe('a list of sinks'),
  'constants?': type({ '[string]': 'string | number | boolean' }).describe('a map of full names to constant values'),
  'result_types?': type({ '[string]': text }).describe('a map of calls to the types of their results'),
  'result_texts?': type({ '[string]': 'string' }).describe('a map of calls to what a safe result looks like'),
  'types?': Types,
  'settings?': Setting.array().describe('a list of settings'),
  'setting_writes?': SettingWrite.array().describe('a list of settings that assignments make'),
  'settings_reads?': SettingsRead.array().describe('a list of how values of .properties and .yaml files are read'),
  'methods?': type({ '[string]': names('names of methods') }).describe(
    'a map of names of methods by what they do, in built-in files only',
  ),
  'language?': Traits,
  'snippets?': Snippets,
  match: Example.array().atLeastLength(1).describe('a list of positive examples, at least one'),
  clean: Example.array().atLeastLength(1).describe('a list of negative examples, at least one'),
  '+': 'reject',
}).describe('a library with library, languages, match and clean')
