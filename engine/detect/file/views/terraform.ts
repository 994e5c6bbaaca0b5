import { limitView, type NoView, TOO_LONG, type View, ViewText } from '../../rules/view.ts'
import { type JsonNode, type JsonScalar, readJson, TOO_DEEP } from './json.ts'

/** How many labels a block at the top has behind its keyword. */
const TOP: Readonly<Record<string, number>> = {
  resource: 2,
  data: 2,
  ephemeral: 2,
  module: 1,
  variable: 1,
  output: 1,
  provider: 1,
  check: 1,
}

/** And one within another; an argument may be called as a block at the top is. */
const INNER: Readonly<Record<string, number>> = { provisioner: 1, dynamic: 1, backend: 1 }

/**
 * Terraform's configuration in JSON (its "JSON Configuration Syntax") in the native syntax. What is an object there may be a block or a map,
 * which no rule tells apart by more than its name, so that each is a block. The reason where it has none.
 */
export function makeTerraformView(path: string, text: string): View | NoView {
  const root = readJson(text)
  if (root === 'too_deep') return TOO_DEEP
  if (root?.kind !== 'object') return { reason: 'not_understood', detail: 'it is not a JSON object' }
  const out = new ViewText(limitView(text.length))
  writeBody(out, text, root, 0)
  if (out.isFull) return TOO_LONG
  return {
    language: 'hcl',
    path: path.replace(/\.json$/, ''),
    text: out.text,
    isForSecrets: false,
    showsOwnLines: false,
    start: offset => out.start(offset),
    end: offset => out.end(offset),
  }
}

function writeBody(out: ViewText, text: string, body: JsonNode, columns: number): void {
  if (body.kind !== 'object') return
  for (const { key, value } of body.members) {
    if (key.value === '//') continue
    writeBlocks(out, text, [key], value, (columns === 0 ? TOP : INNER)[key.value] ?? 0, columns)
  }
}

/** Writes what stands under a keyword and the labels so far: a block each, or an argument. */
function writeBlocks(
  out: ViewText,
  text: string,
  names: readonly JsonScalar[],
  value: JsonNode,
  labels: number,
  columns: number,
): void {
  if (value.kind === 'array' && value.items.some(({ kind }) => kind === 'object')) {
    for (const item of value.items) writeBlocks(out, text, names, item, labels, columns)
  } else if (value.kind === 'object' && labels > 0) {
    for (const { key, value: inner } of value.members)
      if (key.value !== '//') writeBlocks(out, text, [...names, key], inner, labels - 1, columns)
  } else if (value.kind === 'object') {
    out.add(' '.repeat(columns))
    writeNames(out, text, names)
    out.add(' {\n')
    writeBody(out, text, value, columns + 2)
    out.add(`${' '.repeat(columns)}}\n`)
  } else {
    out.add(' '.repeat(columns))
    writeNames(out, text, names)
    out.add(' = ')
    writeValue(out, text, value)
    out.add('\n')
  }
}

/** The keyword as it is, the labels in their quotes. */
function writeNames(out: ViewText, text: string, names: readonly JsonScalar[]): void {
  names.forEach(({ start, end }, index) => {
    if (index === 0) out.addFrom(text.slice(start + 1, end - 1), start + 1)
    else {
      out.add(' ')
      out.addFrom(text.slice(start, end), start)
    }
  })
}

/** A value of an argument; strings of JSON are those of the native syntax. */
function writeValue(out: ViewText, text: string, value: JsonNode): void {
  if (value.kind !== 'array') {
    out.addFrom(text.slice(value.start, value.end), value.start)
    return
  }
  out.add('[')
  value.items.forEach((item, index) => {
    if (index > 0) out.add(', ')
    writeValue(out, text, item)
  })
  out.add(']')
}
