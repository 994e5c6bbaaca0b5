import { findReached } from '../../base/technologies/technologies.ts'
import { isObject } from '../../base/text/json-object.ts'
import { CLOUDFORMATION_RESOURCES } from './cloud-resources.ts'
import { type Deployed, type LineOf, readSettings } from './infrastructure.ts'
import type { EntryPoint } from './model.ts'

/** Whether a path names a file of the Serverless Framework. */
export const SERVERLESS = /(?:^|\/)serverless(?:[.-][\w.-]{1,40})?\.(?:ya?ml|json)$/
/** What a template of CloudFormation or SAM says of itself. */
export const TEMPLATE = /(?:^|[\s{,"'])(?:AWSTemplateFormatVersion|Transform)["']?\s{0,5}:/m

/** What a file of functions says: their ways in, and what is deployed with them. */
export interface Functions {
  entry_points: EntryPoint[]
  deployed: Deployed[]
  /** An authorizer guards at least one of them. */
  has_auth: boolean
}

/** Events that come from a queue or store, with its technology. */
const SOURCES: Readonly<Record<string, string>> = {
  ...{ sqs: 'sqs', sns: 'sns', s3: 's3', kafka: 'kafka', msk: 'kafka', rabbitmq: 'rabbitmq', activemq: 'jms' },
  ...{ eventBridge: 'eventbridge', kinesis: 'kinesis', dynamodb: 'dynamodb', pubsub: 'pubsub', stream: 'kinesis' },
  ...{
    SQS: 'sqs',
    SNS: 'sns',
    S3: 's3',
    MSK: 'kafka',
    Kinesis: 'kinesis',
    DynamoDB: 'dynamodb',
    EventBridgeRule: 'eventbridge',
  },
}
const HTTP = new Set(['http', 'httpApi', 'Api', 'HttpApi', 'alb', 'url', 'FunctionUrlConfig'])

/** Reads serverless.yml: functions with their events, and the resources of CloudFormation beside them. */
export function readServerless(document: unknown, file: string, lineOf: LineOf): Functions {
  const found: Functions = { entry_points: [], deployed: [], has_auth: false }
  if (!isObject(document)) return found
  for (const [name, each] of listEntries(document.functions)) {
    if (!isObject(each)) continue
    const events = Array.isArray(each.events) ? each.events : []
    for (const event of events)
      for (const [kind, value] of typeof event === 'string' ? [[event, undefined] as const] : listEntries(event))
        addEvent(found, { name, kind, value, file, lineOf })
    if (each.url !== undefined && each.url !== false)
      addEvent(found, { name, kind: 'url', value: each.url, file, lineOf })
  }
  const provider = isObject(document.provider) ? document.provider : {}
  addReached(found, { name: 'provider', settings: provider.environment, file, lineOf })
  const resources = isObject(document.resources) ? document.resources : {}
  addResources(found, resources.Resources, file, lineOf)
  return found
}

/** Reads a template of CloudFormation or SAM. */
export function readTemplate(document: unknown, file: string, lineOf: LineOf): Functions {
  const found: Functions = { entry_points: [], deployed: [], has_auth: false }
  if (isObject(document)) addResources(found, document.Resources, file, lineOf)
  return found
}

interface Event {
  name: string
  kind: string
  value: unknown
  file: string
  lineOf: LineOf
}

function addEvent(found: Functions, { name, kind, value, file, lineOf }: Event): void {
  const [fields, line] = [isObject(value) ? value : {}, lineOf(name)]
  const add = (method: string, path: string) =>
    found.entry_points.push({ method, path, framework: 'serverless function', file, line, source: 'infrastructure' })
  if (HTTP.has(kind)) {
    const [, word, at] = typeof value === 'string' ? (/^(\S{1,10})\s{1,5}(\S{1,300})$/.exec(value) ?? []) : []
    const method = String(word ?? fields.method ?? fields.Method ?? 'ANY').toUpperCase()
    const path = String(at ?? fields.path ?? fields.Path ?? '*')
    add(/^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method) ? method : 'ANY', path.slice(0, 300))
    if (fields.authorizer !== undefined || fields.Auth !== undefined) found.has_auth = true
    return
  }
  if (kind === 'websocket') return void add('WEBSOCKET', String(fields.route ?? '*').slice(0, 100))
  const id = SOURCES[kind]
  if (id === undefined) return
  add('MESSAGE', name)
  addTechnology(found, id, `${name}: ${kind}`, file, line)
}

function addTechnology(found: Functions, id: string, name: string, file: string, line: number): void {
  const technology = findReached(id)
  if (technology === undefined) return
  found.deployed.push({ ...{ name, file, line, kind: 'technology', technology, published: false }, depends_on: [] })
}

function addReached(
  found: Functions,
  { name, settings, file, lineOf }: { name: string; settings: unknown; file: string; lineOf: LineOf },
): void {
  for (const id of readSettings(settings, new Set()).reaches)
    addTechnology(found, id, `${name}: settings`, file, lineOf(name))
}

function addResources(found: Functions, resources: unknown, file: string, lineOf: LineOf): void {
  const all = listEntries(resources)
  const names = new Set(all.map(([name]) => name))
  for (const [name, resource] of all) {
    if (!isObject(resource)) continue
    const role = CLOUDFORMATION_RESOURCES.get(String(resource.Type))
    if (role === undefined) continue
    const [properties, line] = [isObject(resource.Properties) ? resource.Properties : {}, lineOf(name)]
    if (resource.Type === 'AWS::Serverless::Function') {
      for (const [, event] of listEntries(properties.Events))
        if (isObject(event)) addEvent(found, { name, kind: String(event.Type), value: event.Properties, file, lineOf })
      if (properties.FunctionUrlConfig !== undefined)
        addEvent(found, { name, kind: 'url', value: undefined, file, lineOf })
      continue
    }
    const base = { name, file, line, image: String(resource.Type), depends_on: [...listReferences(properties, names)] }
    if (role === 'process') found.deployed.push({ ...base, kind: 'image', published: false })
    else if (role === 'proxy')
      found.deployed.push({ ...base, kind: 'proxy', published: properties.Scheme !== 'internal' })
    else {
      const technology = findReached(role)!
      found.deployed.push({
        ...base,
        kind: 'technology',
        technology,
        published: properties.PubliclyAccessible === true,
      })
    }
  }
}

/** Names of resources that the properties of another have as values, in whatever form. */
function listReferences(properties: unknown, names: ReadonlySet<string>, depth = 0): Set<string> {
  const found = new Set<string>()
  if (typeof properties === 'string') {
    for (const [word] of properties.slice(0, 2000).matchAll(/[A-Za-z][A-Za-z0-9]{0,120}/g))
      if (names.has(word)) found.add(word)
  } else if (typeof properties === 'object' && properties !== null && depth < 8)
    for (const each of Object.values(properties).slice(0, 500))
      for (const name of listReferences(each, names, depth + 1)) found.add(name)
  return found
}

function listEntries(value: unknown): [string, unknown][] {
  // A file of functions may be a list of maps.
  if (Array.isArray(value)) return value.slice(0, 200).flatMap(each => (isObject(each) ? Object.entries(each) : []))
  return isObject(value) ? Object.entries(value).slice(0, 2000) : []
}
