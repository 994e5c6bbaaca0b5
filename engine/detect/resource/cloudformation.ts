import type { SgNode } from '@ast-grep/napi'
import type { Argument, Block, Configuration, Value } from './configuration.ts'
import { type Tagged, YamlReader } from './yaml.ts'

/**
 * The resources of a CloudFormation template as blocks, under their types (AWS CloudFormation user guide, "Template anatomy"): properties are
 * arguments, and those with a map, or a list of maps, are nested blocks too. `Ref` to a parameter is a reference to its default, both
 * branches of `Fn::If` are values, and what any other function gives is unknown.
 */
export function readCloudFormation(root: SgNode): Configuration {
  const reader = new YamlReader()
  const blocks = reader.readDocuments(root).flatMap(readTemplate)
  return { blocks, complete: reader.isComplete }
}

function readTemplate(document: Tagged): Block[] {
  const resources = getEntry(document, 'Resources') ?? getEntry(getEntry(document, 'resources'), 'Resources')
  if (resources?.kind !== 'object') return []
  const blocks = [...resources.entries].flatMap(([name, value]) => readResource(name, value))
  const parameters = getEntry(document, 'Parameters')
  if (parameters?.kind === 'object')
    for (const [name, value] of parameters.entries) {
      const given = getEntry(value, 'Default')
      if (given) blocks.push(makeVariable(name, given))
    }
  return blocks
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
  for (const [name, written] of properties.entries) {
    const value = readFunctions(written)
    body.arguments.set(name, { name, start: (written as Tagged).key ?? value.start, value })
    for (const one of value.kind === 'list' ? value.items : [value])
      if (one.kind === 'object')
        body.blocks.push({ keyword: name, labels: [], start: one.start, end: one.end, ...readBody(one) })
  }
  return body
}

/** A value with what functions of CloudFormation give, in their short form (`!Ref`) and as maps of one key. */
function readFunctions(value: Tagged): Value {
  const { start, end, tag } = value
  if (tag !== undefined && tag !== '!!str') return call(tag.slice(1), value)
  if (value.kind === 'list') return { ...value, items: value.items.map(readFunctions) }
  if (value.kind !== 'object') return value
  const [first] = value.entries
  if (first && value.entries.size === 1 && (first[0] === 'Ref' || first[0].startsWith('Fn::')))
    return { ...call(first[0].replace('Fn::', ''), first[1]), start, end }
  return {
    kind: 'object',
    entries: new Map([...value.entries].map(([key, one]) => [key, readFunctions(one)])),
    start,
    end,
  }
}

function call(name: string, argument: Value): Value {
  const { start, end } = argument
  if (name === 'Ref' && argument.kind === 'text')
    return argument.text === 'AWS::NoValue'
      ? { kind: 'null', text: '', start, end }
      : { kind: 'reference', path: ['var', argument.text], start, end }
  if (name === 'If' && argument.kind === 'list' && argument.items.length === 3)
    return { kind: 'list', items: argument.items.slice(1).map(readFunctions), start, end }
  if (name === 'Sub' && argument.kind === 'text' && !argument.text.includes('${')) return argument
  return { kind: 'unknown', start, end }
}

function getEntry(value: Value | undefined, key: string): Value | undefined {
  return value?.kind === 'object' ? value.entries.get(key) : undefined
}
