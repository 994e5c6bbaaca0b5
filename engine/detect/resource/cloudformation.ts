import type { Argument, Block, Value } from './configuration.ts'
import type { Tagged } from './yaml.ts'

const ESCAPE = /\\(?:x|u00|U000000|\r?\n)/g

/** Whether a YAML file can have the key `Resources`: as it is, or in quotes with escapes. Others need no syntax tree. */
export function mayBeTemplate(text: string): boolean {
  if (/\bResources\b/.test(text)) return true
  // Each character is passed once: behind an escape the search goes on where its text ends.
  ESCAPE.lastIndex = 0
  while (ESCAPE.test(text)) {
    let at = ESCAPE.lastIndex
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at++
    for (;;) {
      while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++
      if (text[at] !== '#') break
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    }
    if (text[at] === ':') return true
    ESCAPE.lastIndex = at
  }
  return false
}

/**
 * The resources of a CloudFormation template as blocks, under their types (AWS CloudFormation user guide, "Template anatomy"): properties are
 * arguments, and those with a map, or a list of maps, are nested blocks too. `Ref` to a parameter is a reference to its default, both
 * branches of `Fn::If` are values, and what any other function gives is unknown.
 */
export function readTemplate(document: Tagged): Block[] {
  // In serverless.yml the template is the value of a key, or a list of templates is.
  const inner = getEntry(document, 'resources')
  const templates = [document, ...(inner?.kind === 'list' ? inner.items : inner ? [inner] : [])]
  const blocks = templates.flatMap(template => readResources(getEntry(template, 'Resources')))
  const parameters = getEntry(document, 'Parameters')
  if (parameters?.kind === 'object')
    for (const [name, value] of parameters.entries) {
      const given = getEntry(value, 'Default')
      if (given) blocks.push(makeVariable(name, given))
    }
  return blocks
}

function readResources(resources: Value | undefined): Block[] {
  if (resources?.kind !== 'object') return []
  return [...unroll(resources.entries)].flatMap(([name, value]) => readResource(name, value))
}

/** Entries, with those that a loop (`Fn::ForEach::Name: [variable, values, entries]`) makes in its place, once. */
function unroll(entries: ReadonlyMap<string, Value>): Map<string, Value> {
  const out = new Map<string, Value>()
  for (const [name, value] of entries) {
    const made = name.startsWith('Fn::ForEach::') && value.kind === 'list' ? value.items.at(-1) : undefined
    if (made?.kind === 'object') for (const [inner, one] of unroll(made.entries)) out.set(inner, one)
    else out.set(name, value)
  }
  return out
}

function readResource(name: string, value: Value): Block[] {
  const type = getEntry(value, 'Type')
  const properties = getEntry(value, 'Properties')
  if (type?.kind !== 'text') return []
  // Properties that a function gives are not known.
  const given = properties && readFunctions(properties).kind
  if (given !== undefined && given !== 'object' && given !== 'null') return []
  const { start, end, key } = type as Tagged & { kind: 'text' }
  const body = properties?.kind === 'object' ? readBody(properties) : { arguments: new Map(), blocks: [] }
  return [{ keyword: 'resource', labels: [type.text, name], start: key ?? start, end, ...body }]
}

/** A parameter as Terraform's variables are read: `var.Name` is its default. */
function makeVariable(name: string, value: Value): Block {
  const given: Argument = { name: 'default', start: value.start, value }
  const { start, end } = value
  return { keyword: 'variable', labels: [name], start, end, arguments: new Map([['default', given]]), blocks: [] }
}

function readBody(properties: Value & { kind: 'object' }): Pick<Block, 'arguments' | 'blocks'> {
  const body = { arguments: new Map<string, Argument>(), blocks: [] as Block[] }
  for (const [name, written] of unroll(properties.entries)) {
    const value = readFunctions(written)
    body.arguments.set(name, { name, start: (written as Tagged).key ?? value.start, value })
    for (const one of listItems(value))
      if (one.kind === 'object')
        body.blocks.push({ keyword: name, labels: [], start: one.start, end: one.end, ...readBody(one) })
  }
  return body
}

/** The items of a list, and of the lists that functions (`Fn::If`) give in it; a value that is no list is the only one. */
function listItems(value: Value): Value[] {
  return value.kind === 'list' ? value.items.flatMap(listItems) : [value]
}

/** A value with what functions of CloudFormation give, in their short form (`!Ref`) and as maps of one key. */
function readFunctions(value: Tagged): Value {
  const { start, end, tag } = value
  if (tag !== undefined) return call(tag.slice(1), value)
  if (value.kind === 'list') return { ...value, items: value.items.map(readFunctions) }
  if (value.kind !== 'object') return value
  const [first] = value.entries
  if (first && value.entries.size === 1 && (first[0] === 'Ref' || /^Fn::(?!ForEach::)/.test(first[0])))
    return { ...call(first[0].replace('Fn::', ''), first[1]), start, end }
  return {
    kind: 'object',
    entries: new Map([...value.entries].map(([key, one]) => [key, readFunctions(one)])),
    start,
    end,
  }
}

function call(name: string, argument: Tagged): Value {
  const { start, end } = argument
  if (name === 'Ref' && (argument.kind === 'text' || argument.kind === 'truth'))
    return argument.text === 'AWS::NoValue'
      ? { kind: 'null', text: '', start, end }
      : { kind: 'reference', path: ['var', argument.written ?? argument.text], start, end }
  if (name === 'If' && argument.kind === 'list' && argument.items.length === 3)
    return { kind: 'list', items: argument.items.slice(1).map(readFunctions), start, end }
  if (name === 'Sub' && argument.kind === 'text' && !argument.text.includes('${')) return argument
  return { kind: 'unknown', start, end }
}

function getEntry(value: Value | undefined, key: string): Value | undefined {
  return value?.kind === 'object' ? value.entries.get(key) : undefined
}
