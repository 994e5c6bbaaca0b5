import type { Node, ParseError } from 'jsonc-parser/lib/esm/main.js'
import { EngineError } from '../base/errors.ts'
import { canonical } from '../base/text/canonical.ts'
import { isObject } from '../base/text/json-object.ts'

/** A member to add, or an element to add to a list. */
export interface JsonEdit {
  /** Keys of the objects around it. */
  keys: readonly string[]
  /** The name of a member; left out for an element of the list that `keys` leads to. */
  name?: string
  value: unknown
  /** Whether a value that is there already is svc's own. */
  isOurs: (value: unknown) => boolean
}

export type Json = typeof import('jsonc-parser/lib/esm/main.js')

/** The parser, loaded when a file is read. */
export function loadJson(): Promise<Json> {
  return import('jsonc-parser/lib/esm/main.js')
}

/** Deeper nesting is no configuration. */
const DEEPEST = 100

/** The tree of JSON with comments and trailing commas, its offsets those of the text. CONFLICT with file and line for what is not well-formed. */
export function parseTree(json: Json, text: string, file: string): Node {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  refuseDepth(text, file)
  const errors: ParseError[] = []
  // The mark at the beginning is no JSON; a blank keeps the offsets.
  const tree = json.parseTree(start ? ` ${text.slice(1)}` : text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) throw refusal(text, first.offset, file, `is not well-formed: ${json.printParseErrorCode(first.error)}`)
  if (tree?.type !== 'object') throw refusal(text, start, file, 'is no JSON object')
  return tree
}

function refuseDepth(text: string, file: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]
    if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') depth--
    if (depth > DEEPEST) throw refusal(text, at, file, `is nested deeper than ${DEEPEST} levels`)
  }
}

/** The text with the edit as one insertion, and what was inserted; undefined where svc's own value is there already. */
export function insertJson(
  json: Json,
  text: string,
  edit: JsonEdit,
  file: string,
): { text: string; inserted: string } | undefined {
  let container = parseTree(json, text, file)
  let rest = [...edit.keys]
  while (rest.length > 0) {
    const next = findMember(container, rest[0]!, text, file)
    if (next === undefined) break
    const isList = edit.name === undefined && rest.length === 1
    if (next.type !== (isList ? 'array' : 'object'))
      throw refusal(text, next.offset, file, `has no ${isList ? 'list' : 'object'} at ${rest[0]}`)
    container = next
    rest = rest.slice(1)
  }
  if (rest.length === 0) {
    if (edit.name === undefined) {
      if (container.children?.some(child => edit.isOurs(json.getNodeValue(child)))) return undefined
    } else {
      const there = findMember(container, edit.name, text, file)
      if (there && edit.isOurs(json.getNodeValue(there))) return undefined
      if (there) throw refusal(text, there.offset, file, `has another ${edit.name} in ${edit.keys.join('.')}`)
    }
  }
  const path = edit.name === undefined ? rest : [...rest, edit.name]
  const name = path[0]
  const value = path.slice(1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), lastValue(edit, rest))
  const inserted = layOut(text, container, name, value)
  const at = findPosition(text, container)
  return { text: text.slice(0, at) + inserted + text.slice(at), inserted }
}

function lastValue({ name, value }: JsonEdit, rest: readonly string[]): unknown {
  return name === undefined && rest.length > 0 ? [value] : value
}

/** A member of an object. CONFLICT where it is there twice: which one counts depends on who reads it. */
export function findMember(object: Node, name: string, text: string, file: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name)
  if (found.length > 1) throw refusal(text, found[1]!.offset, file, `has ${name} twice`)
  return found[0]?.children?.[1]
}

/** After the opening bracket, and after a comment on the rest of its line. */
function findPosition(text: string, { offset, children = [] }: Node): number {
  const at = offset + 1
  const comment = /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(at, at + 2000))?.[0].length ?? 0
  return comment > 0 && (children[0] === undefined || children[0].offset > at + comment) ? at + comment : at
}

/** What is inserted, in the indentation and line ends of the file. */
function layOut(text: string, container: Node, name: string | undefined, value: unknown): string {
  const unit = /\n([ \t]+)["[{]/.exec(text)?.[1] ?? '  '
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lineStart = text.lastIndexOf('\n', container.offset - 1) + 1
  const around = /^[ \t]*/.exec(text.slice(lineStart))![0]
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `
  const body = `${label}${JSON.stringify(value, null, unit)}`.replaceAll('\n', `${end}${around}${unit}`)
  const isEmpty = (container.children ?? []).length === 0
  return `${end}${around}${unit}${body}${isEmpty ? `${end}${around}` : ','}`
}

/** The text without the value that svc writes, by structure: for a file whose insertion is not there as it was written. */
export function removeJson(json: Json, text: string, edit: JsonEdit, file: string): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const clean = text.slice(bom.length)
  const own = findOwn(json, clean, edit, file, value => canonical(value) === canonical(edit.value))
  if (own === undefined) return text
  const edits = json.modify(clean, [...edit.keys, own], undefined, {})
  return bom + json.applyEdits(clean, edits)
}

/** Whether a value is there that is svc's own, also one that was changed. */
export function hasOwn(json: Json, text: string, edit: JsonEdit, file: string): boolean {
  return findOwn(json, text.replace(/^\uFEFF/, ''), edit, file, edit.isOurs) !== undefined
}

/** The member or the element of the list that is meant; undefined where there is none. */
function findOwn(
  json: Json,
  text: string,
  { keys, name }: JsonEdit,
  file: string,
  isMeant: (value: unknown) => boolean,
): string | number | undefined {
  const value: unknown = json.getNodeValue(parseTree(json, text, file))
  const owner = keys.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
  if (name === undefined) {
    const at = Array.isArray(owner) ? owner.findIndex(isMeant) : -1
    return at === -1 ? undefined : at
  }
  return isObject(owner) && Object.hasOwn(owner, name) && isMeant(owner[name]) ? name : undefined
}

/** CONFLICT for a file that cannot be extended, with the line. */
export function refusal(text: string, offset: number, file: string, what: string): EngineError {
  const line = text.slice(0, offset).split('\n').length
  return new EngineError('CONFLICT', `${file}:${line} ${what}, so nothing was written.`, {
    place: { file, line },
    hint: 'Fix the file, or move it away, then run the command again.',
  })
}
