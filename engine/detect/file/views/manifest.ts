import { limitView, type NoView, TOO_LONG, type View, ViewText } from '../../rules/view.ts'
import { findMember, findString, type JsonNode, readJson, TOO_DEEP } from './json.ts'

const COMPOSE = /(?:^|\/)[^/]*compose[^/]*\.json$/
/** Strings that YAML takes for text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z_](?:[\w./@+-]|:(?=[\w./@+-]))*$/i
/** The same for what begins with digits and is no number: addresses, versions. */
const PLAIN_NUMBERS = /^\d+(?:\.\d+){2,}(?:\/\d+)?$/

/** Whether JSON may be a manifest that has rules of YAML: of Kubernetes or CloudFormation by its words, of Compose by its name. */
export function mayBeManifest(path: string, bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (
    (buffer.includes('"apiVersion"') && buffer.includes('"kind"')) ||
    buffer.includes('"AWSTemplateFormatVersion"') ||
    buffer.includes('"AWS::') ||
    COMPOSE.test(path)
  )
}

/**
 * A manifest in JSON as YAML in block style, in which expressions know it. A `List` is one document an item. Undefined where the text is no
 * JSON or no manifest, and the reason where it is one that has no view.
 */
export function makeManifestView(path: string, text: string): View | NoView | undefined {
  const root = readJson(text)
  if (root === 'too_deep') return TOO_DEEP
  if (root?.kind !== 'object' && root?.kind !== 'array') return undefined
  const documents = documentsOf(root)
  if (!documents.some(document => isManifest(path, document))) return undefined
  const out = new ViewText(limitView(text.length))
  documents.forEach((document, index) => {
    if (index > 0) out.add('---\n')
    write(out, text, document, 0)
  })
  if (out.isFull) return TOO_LONG
  return {
    language: 'yaml',
    path: path.replace(/\.json$/, '.yaml'),
    text: out.text,
    isForSecrets: false,
    showsOwnLines: false,
    start: offset => out.start(offset),
    end: offset => out.end(offset),
  }
}

function documentsOf(root: JsonNode): JsonNode[] {
  const items = root.kind === 'array' ? root : findMember(root, 'items')
  const isList = root.kind === 'array' || /List$/.test(findString(root, 'kind') ?? '')
  return isList && items?.kind === 'array' && items.items.length > 0 ? items.items : [root]
}

function isManifest(path: string, node: JsonNode): boolean {
  if (findString(node, 'apiVersion') !== undefined && findString(node, 'kind') !== undefined) return true
  if (findMember(node, 'Resources')?.kind === 'object') return true
  return COMPOSE.test(path) && findMember(node, 'services')?.kind === 'object'
}

/** Writes a value in lines of their own, at the columns; the line before has ended. */
function write(out: ViewText, text: string, node: JsonNode, columns: number): void {
  const indent = ' '.repeat(columns)
  if (node.kind === 'object') {
    for (const { key, value } of node.members) {
      out.add(indent)
      writeMember(out, text, key, value, columns)
    }
  } else if (node.kind === 'array') {
    for (const item of node.items) {
      out.add(`${indent}- `)
      writeItem(out, text, item, columns)
    }
  } else {
    out.add(indent)
    writeScalar(out, text, node)
    out.add('\n')
  }
}

function writeMember(out: ViewText, text: string, key: JsonNode, value: JsonNode, columns: number): void {
  writeScalar(out, text, key)
  out.add(':')
  if (isBlock(value)) {
    out.add('\n')
    write(out, text, value, columns + 2)
  } else {
    out.add(' ')
    writeScalar(out, text, value)
    out.add('\n')
  }
}

/** Writes an item behind its dash: the first member of a mapping in the same line. */
function writeItem(out: ViewText, text: string, item: JsonNode, columns: number): void {
  if (item.kind === 'object' && isBlock(item)) {
    item.members.forEach(({ key, value }, index) => {
      if (index > 0) out.add(' '.repeat(columns + 2))
      writeMember(out, text, key, value, columns + 2)
    })
  } else if (isBlock(item)) {
    out.add('\n')
    write(out, text, item, columns + 2)
  } else {
    writeScalar(out, text, item)
    out.add('\n')
  }
}

function isBlock(node: JsonNode): boolean {
  return (node.kind === 'object' && node.members.length > 0) || (node.kind === 'array' && node.items.length > 0)
}

/** A string as text where YAML reads it so, else as it is written: JSON's strings are YAML's. */
function writeScalar(out: ViewText, text: string, node: JsonNode): void {
  const { start, end } = node
  const isPlain =
    node.kind === 'string' &&
    node.value.length === end - start - 2 &&
    (PLAIN.test(node.value) || PLAIN_NUMBERS.test(node.value))
  if (isPlain) out.addFrom(text.slice(start + 1, end - 1), start + 1)
  else out.addFrom(isBlock(node) ? '' : text.slice(start, end).replace(/\s+(?=[}\]]$)/, ''), start, end - start)
}
