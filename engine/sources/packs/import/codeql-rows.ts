import type { Place } from '../../../base/errors.ts'

/** Arguments by position or name. */
export type Arguments = (number | string)[]

/** What an access path names: arguments, the receiver or the return value; with `field`, one of its fields. */
export interface Access {
  of: Arguments | 'receiver' | 'return'
  field?: string
}

/** What a row of models as data says, as far as an entry of a library can say it. */
export interface Row {
  /** The predicate that it extends: sourceModel, sinkModel, summaryModel, neutralModel, barrierModel or barrierGuardModel. */
  model: string
  /** The call as libraries name it. */
  call: string
  /** The import that a file with the call needs, the simple name, and whether it is a method of an object. */
  from: { module: string; type: string; name: string; isMethod: boolean; isConstructor: boolean }
  kind: string
  input: Access | undefined
  output: Access | undefined
  /** Of a guard: the result with which its argument is safe. */
  accepting?: boolean
  id: string
  place: Place
}

export type ReadRow = Omit<Row, 'id' | 'place'>

/** An entry of a library with the row that it stands for. */
export interface Entry {
  row: Row
  key: 'sources' | 'sinks' | 'propagators' | 'non_propagators' | 'sanitizers' | 'validators'
  data: Record<string, unknown> | string
}

/** A language that CodeQL has models for, and svc a taint analysis. */
export interface CodeqlLanguage {
  name: string
  languages: readonly string[]
  /** Rows name a package, a type and a member; in the others a module and a path of API graphs. */
  isTyped: boolean
  examples: 'java' | 'csharp' | 'go' | 'python' | 'javascript'
}

export const CODEQL_LANGUAGES: ReadonlyMap<string, CodeqlLanguage> = new Map(
  (
    [
      { name: 'java', languages: ['java'], isTyped: true, examples: 'java' },
      { name: 'csharp', languages: ['csharp'], isTyped: true, examples: 'csharp' },
      { name: 'go', languages: ['go'], isTyped: true, examples: 'go' },
      { name: 'python', languages: ['python'], isTyped: false, examples: 'python' },
      { name: 'javascript', languages: ['javascript', 'typescript', 'tsx'], isTyped: false, examples: 'javascript' },
    ] as const
  ).map(language => [`codeql/${language.name}-all`, language]),
)

/** How many values a row has before its inputs, outputs and kinds, and which these are. */
const COLUMNS: Readonly<Record<string, readonly ('input' | 'output' | 'accepting' | 'kind')[]>> = {
  sourceModel: ['output', 'kind'],
  sinkModel: ['input', 'kind'],
  summaryModel: ['input', 'output', 'kind'],
  barrierModel: ['output', 'kind'],
  barrierGuardModel: ['input', 'accepting', 'kind'],
}

/**
 * A row of Java, C# or Go: package, type, subtypes, name, signature, ext, then inputs, outputs, kind and provenance; a neutral one is
 * package, type, name, signature, kind, provenance. A text says why it has no equivalent. All overloads of a name are one call here.
 */
export function readTypedRow(model: string, values: readonly unknown[]): ReadRow | string {
  const isNeutral = model === 'neutralModel'
  const columns = isNeutral ? (['kind'] as const) : COLUMNS[model]
  if (!columns) return `${model} has no equivalent`
  const [module, type, name, ext] = (
    isNeutral ? [values[0], values[1], values[2], ''] : [values[0], values[1], values[3], values[5]]
  ).map(value => (typeof value === 'string' ? value : undefined))
  if (module === undefined || type === undefined || name === undefined) return 'its columns are not those of the model'
  if (ext) return `what ${ext} selects has no equivalent`
  if (name === '') return 'all members of a type at once have no equivalent'
  if (/[<>]/.test(type + name)) return 'generic names have no equivalent'
  const simple = type.slice(type.lastIndexOf('.') + 1).replaceAll('$', '.')
  const isConstructor = type !== '' && name === simple
  const owner = [module, type].filter(part => part !== '').join('.')
  const call = isConstructor ? `new ${owner}` : `${owner}.${name}`
  const rest = readRest(columns, values.slice(isNeutral ? 4 : 6))
  if (typeof rest === 'string') return rest
  return { model, call, from: { module, type, name, isMethod: type !== '' && !isConstructor, isConstructor }, ...rest }
}

/** A row of Python or JavaScript: a module or type, a path from there, and for neutral ones nothing more but the kind. */
export function readApiRow(model: string, values: readonly unknown[]): ReadRow | string {
  if (model !== 'neutralModel' && !COLUMNS[model]) return `${model} has no equivalent`
  const [module, path] = values
  if (typeof module !== 'string' || typeof path !== 'string') return 'its columns are not those of the model'
  if (!/^[\w@./-]+$/.test(module)) return `the type ${module} has no equivalent`
  const tokens = path === '' ? [] : path.split(/\.(?![^[]*\])/)
  const names: string[] = []
  let isMethod = false
  let at = 0
  for (; at < tokens.length; at++) {
    const token = tokens[at]!
    const member = /^Member\[([\w$]+)\]$/.exec(token)?.[1]
    const isClass = /^[A-Z]/.test(names.at(-1) ?? '')
    const isObject = token === 'Instance' || (token === 'ReturnValue' && isClass)
    if (member !== undefined) names.push(member)
    // An object of a class: what follows are its members.
    else if (isObject && tokens[at + 1]?.startsWith('Member[')) isMethod = true
    else break
  }
  if (names.length === 0) return 'a path that names no member has no equivalent'
  const call = `${module}.${names.join('.')}`
  const from = { module, type: names.slice(0, -1).join('.'), name: names.at(-1)!, isMethod, isConstructor: false }
  const tail = tokens.slice(at).join('.')
  if (model === 'neutralModel') {
    if (tail !== '') return 'a path that goes on behind the call has no equivalent'
    return { model, call, from, kind: String(values[2] ?? ''), input: undefined, output: undefined }
  }
  if (model === 'summaryModel') {
    if (tail !== '') return 'a path that goes on behind the call has no equivalent'
    const rest = readRest(COLUMNS.summaryModel!, values.slice(2))
    return typeof rest === 'string' ? rest : { model, call, from, ...rest }
  }
  const rest = readRest(COLUMNS[model]!, [tail, ...values.slice(2)])
  return typeof rest === 'string' ? rest : { model, call, from, ...rest }
}

function readRest(
  columns: readonly ('input' | 'output' | 'accepting' | 'kind')[],
  values: readonly unknown[],
): Pick<ReadRow, 'kind' | 'input' | 'output' | 'accepting'> | string {
  const out: Pick<ReadRow, 'kind' | 'input' | 'output' | 'accepting'> = {
    kind: '',
    input: undefined,
    output: undefined,
  }
  for (const [index, column] of columns.entries()) {
    const value = String(values[index] ?? '')
    if (column === 'kind') out.kind = value
    else if (column === 'accepting') out.accepting = value === 'true' ? true : value === 'false' ? false : undefined
    else {
      const read = readAccess(value)
      if (read === undefined) return `the access path ${value || '(none)'} has no equivalent`
      out[column] = read
    }
  }
  return out
}

/** Elements of a collection, which go where the collection goes. */
const ELEMENTS =
  /^(?:ArrayElement|Element|MapKey|MapValue|ListElement|SetElement|DictionaryElementAny|TupleElementAny|WithElement)$/

/** An access path with or without elements, and with one field at most; undefined where it names something else. */
function readAccess(path: string): Access | undefined {
  const [first = '', ...more] = path.split(/\.(?![^[]*\])/)
  const fields = more.filter(token => !ELEMENTS.test(token)).map(token => readFieldName(token))
  const of = readRoot(first)
  if (of === undefined || fields.length > 1 || fields.includes(undefined)) return undefined
  return { of, ...(fields[0] !== undefined && { field: fields[0] }) }
}

/** The simple name of a field, property or attribute; one that CodeQL made up is none of the program. */
function readFieldName(token: string): string | undefined {
  const inner = /^(?:Field|Property|Attribute|Member)\[([\w.$]+)\]$/.exec(token)?.[1]
  const name = inner?.slice(inner.lastIndexOf('.') + 1)
  return name !== undefined && /^[A-Za-z_]\w{0,60}$/.test(name) ? name : undefined
}

function readRoot(first: string): Access['of'] | undefined {
  if (first === 'ReturnValue') return 'return'
  const inner = /^Argument\[([^\]]+)\]$/.exec(first)?.[1]
  if (inner === undefined) return undefined
  if (inner === 'this' || inner === 'self' || inner === 'receiver') return 'receiver'
  const out: Arguments = []
  for (const part of inner.split(',')) {
    const word = part.trim()
    const range = /^(\d{1,2})\.\.(\d{1,2})$/.exec(word)
    if (/^\d{1,2}$/.test(word)) out.push(Number(word))
    else if (range) for (let index = Number(range[1]); index <= Number(range[2]); index++) out.push(index)
    else if (/^[A-Za-z_]\w*:$/.test(word)) out.push(word.slice(0, -1))
    else return undefined
  }
  return out
}
