import { makeCodeqlExamples } from './codeql-examples.ts'
import {
  type Access,
  CODEQL_LANGUAGES,
  type CodeqlLanguage,
  type Entry,
  type Row,
  readApiRow,
  readTypedRow,
} from './codeql-rows.ts'
import type { DraftLibrary, LeftOut } from './draft.ts'
import { isMap } from './own.ts'
import type { SourceDocument } from './source.ts'

/** Rows of one library: their examples stay well below the limit of a library. */
const MOST_ROWS = 40

/** Kinds of source of CodeQL's models, and what they are here. */
const SOURCE_KINDS: Readonly<Record<string, string>> = {
  remote: 'request',
  commandargs: 'argument',
  environment: 'environment',
  stdin: 'stdin',
}

/** Kinds of sink of CodeQL's models, and the class of rule that reports them here. */
const SINK_KINDS: Readonly<Record<string, string>> = {
  'sql-injection': 'sql',
  'command-injection': 'shell',
  'code-injection': 'code',
  'js-injection': 'html',
  'html-injection': 'html',
  'path-injection': 'path',
  'url-redirection': 'redirect',
  'request-forgery': 'url',
  'ldap-injection': 'ldap',
  'xpath-injection': 'xpath',
  'nosql-injection': 'nosql',
  'template-injection': 'template',
  'log-injection': 'log',
  'response-splitting': 'header',
  'unsafe-deserialization': 'object',
  'jndi-injection': 'jndi',
  'regex-injection': 'regex',
}

/** Whether a document has models as data: rows that extend a predicate of a CodeQL library. */
export function isCodeql(data: unknown): boolean {
  return isMap(data) && Array.isArray(data.extensions)
}

/**
 * Libraries of the rows that translate, by language. Every other row is left out with the reason: what a row says beyond that (a callback,
 * a state of the receiver, a kind that no rule reports) has no entry here. Examples are made of the rows themselves, and one that no rule
 * reports leaves its row out when the pack is checked.
 */
export function convertCodeqlModels(documents: readonly SourceDocument[]): {
  libraries: DraftLibrary[]
  left_out: LeftOut[]
} {
  const left_out: LeftOut[] = []
  const byLanguage = new Map<CodeqlLanguage, Entry[]>()
  for (const document of documents) {
    const extensions = isMap(document.data) && Array.isArray(document.data.extensions) ? document.data.extensions : []
    for (const [index, extension] of extensions.entries()) {
      const target = isMap(extension) && isMap(extension.addsTo) ? extension.addsTo : {}
      const rows: unknown[] = isMap(extension) && Array.isArray(extension.data) ? extension.data : []
      const language = CODEQL_LANGUAGES.get(String(target.pack))
      for (const [at, values] of rows.entries()) {
        const place = document.place(['extensions', String(index), 'data', String(at)], 'value')
        const id = `${String(target.extensible)} ${JSON.stringify(values).slice(0, 120)}`
        const entry = language
          ? readEntry(language, String(target.extensible), values, { id, place })
          : `models of ${String(target.pack)} are not imported`
        if (typeof entry === 'string') {
          left_out.push({ id, reason: entry, place })
          continue
        }
        const known = byLanguage.get(language!)
        if (known) known.push(entry)
        else byLanguage.set(language!, [entry])
      }
    }
  }
  return {
    libraries: [...byLanguage].flatMap(([language, entries]) => makeLibraries(language, entries, left_out)),
    left_out,
  }
}

function readEntry(
  { isTyped }: CodeqlLanguage,
  model: string,
  values: unknown,
  from: Pick<Row, 'id' | 'place'>,
): Entry | string {
  if (!Array.isArray(values)) return 'it is no list of values'
  const row = isTyped ? readTypedRow(model, values) : readApiRow(model, values)
  return typeof row === 'string' ? row : toEntry({ ...row, ...from })
}

/** The entry that a row is; a text says why it is none. */
function toEntry(row: Row): Entry | string {
  const { model, call, kind, input, output } = row
  switch (model) {
    case 'sourceModel': {
      const own = SOURCE_KINDS[kind]
      if (own === undefined) return `sources of the kind ${kind} have no equivalent`
      if (output?.of !== 'return' || output.field !== undefined)
        return 'a source that is no return value has no equivalent'
      return { row, key: 'sources', data: { kind: own, label: `input of ${call}`, calls: [call] } }
    }
    case 'sinkModel': {
      const own = SINK_KINDS[kind]
      if (own === undefined) return `sinks of the kind ${kind} are reported by no rule`
      if (!input || input.of === 'return' || input.field !== undefined)
        return 'a sink that is no argument and no receiver has no equivalent'
      const places = input.of === 'receiver' ? ['receiver'] : input.of
      return { row, key: 'sinks', data: { kind: own, calls: [call], arguments: places } }
    }
    case 'summaryModel':
      return toPropagator(row)
    case 'neutralModel':
      return kind === 'summary' || kind === ''
        ? { row, key: 'non_propagators', data: call }
        : `a neutral model of the kind ${kind} says nothing that a scan asks`
    case 'barrierModel': {
      const own = SINK_KINDS[kind]
      if (own === undefined) return `barriers for the kind ${kind} have no equivalent`
      if (output?.of !== 'return' || output.field !== undefined)
        return 'a barrier that is no return value has no equivalent'
      return { row, key: 'sanitizers', data: { calls: [call], for: [own] } }
    }
    case 'barrierGuardModel': {
      const own = SINK_KINDS[kind]
      if (own === undefined) return `barriers for the kind ${kind} have no equivalent`
      const [argument, ...others] = Array.isArray(input?.of) && input.field === undefined ? input.of : []
      if (typeof argument !== 'number' || others.length > 0 || row.accepting === undefined)
        return 'only a guard of one argument that returns true or false has an equivalent'
      return {
        row,
        key: 'validators',
        data: { calls: [call], argument, for: [own], safe_when: row.accepting },
      }
    }
    default:
      return `${model} has no equivalent`
  }
}

/** A summary says where what goes in is afterwards; of a constructor the object itself is what it returns. */
function toPropagator(row: Row): Entry | string {
  const { call, input, output } = row
  if (!input || input.of === 'return') return 'a summary that begins with a return value has no equivalent'
  if (!output) return 'a summary that leads nowhere has no equivalent'
  const { isConstructor } = row.from
  if (isConstructor && input.of === 'receiver') return 'a summary that begins with the object made has no equivalent'
  const isResult = output.of === 'return' || (isConstructor && output.of === 'receiver')
  const to = isResult ? [namePlace('result', output)] : namePlaces(output)
  return { row, key: 'propagators', data: { calls: [call], from: namePlaces(input), to } }
}

/** The places of an access path as libraries name them. */
function namePlaces(access: Access): string[] {
  const { of } = access
  return Array.isArray(of) ? of.map(place => namePlace(`argument ${place}`, access)) : [namePlace('receiver', access)]
}

function namePlace(name: string, { field }: Access): string {
  return field === undefined ? name : `${name}.${field}`
}

function makeLibraries(language: CodeqlLanguage, entries: Entry[], left_out: LeftOut[]): DraftLibrary[] {
  const out: DraftLibrary[] = []
  const shown = entries.flatMap(entry => {
    const examples = makeCodeqlExamples(language.examples, entry)
    if (examples) return [{ entry, examples }]
    left_out.push({ id: entry.row.id, reason: 'no example can be made of it', place: entry.row.place })
    return []
  })
  for (let at = 0; at < shown.length; at += MOST_ROWS) {
    const part = shown.slice(at, at + MOST_ROWS)
    const number = at === 0 ? '' : `${at / MOST_ROWS + 1}`
    const [{ entry: first }] = part as [(typeof part)[number]]
    out.push({
      name: `codeql-${language.name}${number && `-${number}`}`,
      data: {
        library: `CodeQL models for ${language.name}${number && ` (${number})`}`,
        languages: [...language.languages],
      },
      parts: part.map(({ entry: { row, key, data }, examples }) => ({
        ...{ id: row.id, place: row.place, key, data },
        ...examples,
      })),
      file: first.row.place.file,
      place: () => first.row.place,
    })
  }
  return out
}
