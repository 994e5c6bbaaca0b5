import type { SgNode } from '@ast-grep/napi'
import { readBody } from './body.ts'
import { readTemplate } from './cloudformation.ts'
import type { Argument, Block, Configuration, Value } from './configuration.ts'
import { type Filled, isExpression } from './filled.ts'
import { FORMATS, type Part } from './formats.ts'
import { type Tagged, YamlReader } from './yaml.ts'

/**
 * The blocks of a YAML or JSON file: resources of CloudFormation and of Azure's templates under their types, and what other formats
 * have (`formats.ts`) under names such as `Kubernetes::Container`. What a template language fills in is unknown.
 */
export function readDocuments(root: SgNode, path: string, filled: Filled): Configuration {
  const reader = new YamlReader()
  const blocks = reader.readDocuments(root).flatMap(document => readDocument(document, path, filled))
  return { blocks, complete: reader.isComplete || filled.isTemplate }
}

function readDocument(document: Tagged, path: string, filled: Filled): Block[] {
  const own = FORMATS.filter(format => format.isMet(document, path)).flatMap(format => {
    const known = markUnknown(document, document.end, filled)
    return format.list(known).map(toBlock)
  })
  return [...readTemplate(document), ...readArmTemplate(document), ...own]
}

/** A part of a file as a resource of its type. */
export function toBlock({ type, value, at }: Part): Block {
  return { keyword: 'resource', labels: [type, ''], start: at.start, end: at.end, ...readBody(value) }
}

/** The value with expressions of a template language as unknown, and maps marked that a template adds to. */
function markUnknown(value: Value, end: number, filled: Filled): Value {
  if (value.kind === 'text') return isExpression(value.text) ? { ...value, kind: 'unknown' } : value
  if (value.kind === 'null') return filled.isFilled(value.start, end) ? { ...value, kind: 'unknown' } : value
  if (value.kind === 'list')
    return {
      ...value,
      items: value.items.map((item, index) => markUnknown(item, value.items[index + 1]?.start ?? end, filled)),
    }
  if (value.kind !== 'object') return value
  const entries = new Map<string, Value>()
  const listed = [...value.entries]
  let isOpen = false
  listed.forEach(([key, one], index) => {
    const next = listed[index + 1]?.[1]
    const until = next ? (next.key ?? next.start) : end
    entries.set(key, { ...markUnknown(one, until, filled), key: one.key } as Value)
    if (one.kind !== 'null' && one.kind !== 'object' && one.kind !== 'list') isOpen ||= filled.isFilled(one.end, until)
  })
  return { ...value, entries, ...((isOpen || entries.has('<<')) && { isOpen: true as const }) }
}

/** The resources of an Azure Resource Manager template ("Understand the structure and syntax of ARM templates"). */
function readArmTemplate(document: Tagged): Block[] {
  if (document.kind !== 'object') return []
  const schema = document.entries.get('$schema')
  if (schema?.kind !== 'text' || !/deploymentTemplate\.json/i.test(schema.text)) return []
  const names = ['parameters', 'variables'].flatMap(part => {
    const given = document.entries.get(part)
    if (given?.kind !== 'object') return []
    return [...given.entries].flatMap(([name, value]) => {
      const held =
        part === 'variables' ? value : value.kind === 'object' ? value.entries.get('defaultValue') : undefined
      return held ? [makeVariable(name, readExpressions(held))] : []
    })
  })
  return [...listArmResources(document.entries.get('resources'), ''), ...names]
}

function makeVariable(name: string, value: Value): Block {
  const given: Argument = { name: 'default', start: value.start, value }
  const { start, end } = value
  return { keyword: 'variable', labels: [name], start, end, arguments: new Map([['default', given]]), blocks: [] }
}

function listArmResources(resources: Value | undefined, parent: string): Block[] {
  const listed =
    resources?.kind === 'list' ? resources.items : resources?.kind === 'object' ? [...resources.entries.values()] : []
  return listed.flatMap(resource => {
    if (resource.kind !== 'object') return []
    const type = resource.entries.get('type')
    if (type?.kind !== 'text') return []
    const full = parent && !type.text.includes('.') ? `${parent}/${type.text}` : type.text
    const value = readExpressions(resource)
    const at = { start: type.key ?? type.start, end: type.end }
    const own = value.kind === 'object' ? [toBlock({ type: full, value, at })] : []
    const inner = [...listArmResources(resource.entries.get('resources'), full), ...listDeployed(resource)]
    return [...own, ...inner]
  })
}

/**
 * The resources of a template within a deployment ("Using linked and nested templates"). With an inner scope its names are its own, and what they
 * stand for is not known here.
 */
function listDeployed(deployment: Value & { kind: 'object' }): Block[] {
  const properties = mapAt(deployment, 'properties')
  const template = mapAt(properties, 'template')
  const scope = mapAt(properties, 'expressionEvaluationOptions')?.entries.get('scope')
  const resources = template?.entries.get('resources')
  const isInner = scope?.kind === 'text' && /^inner$/i.test(scope.text)
  return listArmResources(resources && isInner ? hideNames(resources) : resources, '')
}

function mapAt(value: Value | undefined, key: string): (Value & { kind: 'object' }) | undefined {
  const found = value?.kind === 'object' ? value.entries.get(key) : undefined
  return found?.kind === 'object' ? found : undefined
}

/** Values with template expressions as unknown. */
function hideNames(value: Value): Value {
  if (value.kind === 'text' && value.text.startsWith('[')) return { ...value, kind: 'unknown' }
  if (value.kind === 'list') return { ...value, items: value.items.map(hideNames) }
  if (value.kind !== 'object') return value
  return {
    ...value,
    entries: new Map([...value.entries].map(([key, one]) => [key, { ...hideNames(one), key: one.key } as Value])),
  }
}

/** Values with template expressions (`"[parameters('tls')]"`) as references to parameters and variables, and as unknown otherwise. */
function readExpressions(value: Value): Value {
  if (value.kind === 'text' && value.text.startsWith('[') && !value.text.startsWith('[[')) {
    const { start, end } = value
    const name = /^\[(?:parameters|variables)\('([\w-]{1,200})'\)\]$/.exec(value.text)?.[1]
    return name === undefined ? { kind: 'unknown', start, end } : { kind: 'reference', path: ['var', name], start, end }
  }
  if (value.kind === 'list') return { ...value, items: value.items.map(readExpressions) }
  if (value.kind !== 'object') return value
  const entries = new Map(
    [...value.entries].map(([key, one]) => [key, { ...readExpressions(one), key: one.key } as Value]),
  )
  return { ...value, entries }
}
