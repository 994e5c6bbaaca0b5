import { isTree, type SpecDocument, type Tree } from './document.ts'
import { resolvePointer, splitReference } from './pointer.ts'
import {
  collectReached,
  findSensitiveFields,
  findSharedNames,
  findUnboundedStrings,
  isUnboundedString,
  type Schema,
} from './schemas.ts'
import type { Weakness } from './weakness.ts'

export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'trace', 'query'] as const

/** What the rules for a document need to know besides its format. */
export interface Analysis {
  weaknesses: Weakness[]
  /** Shared schemas that what comes in reaches. */
  input_schemas: string[]
  /** Shared schemas that what goes out reaches. */
  output_schemas: string[]
  /** Shared parameters, channels or operations that rules name. */
  names: string[]
}

/** The weak places of an OpenAPI document of any version. */
export function analyzeOpenApi({ data }: SpecDocument): Analysis {
  const operations = operationsOf(data)
  const inputs: Schema[] = []
  const outputs: Schema[] = []
  const weaknesses: Weakness[] = []
  for (const { path, operation, shared } of operations) {
    if (!isProtected(data, operation))
      weaknesses.push({
        kind: 'auth',
        path,
        part: 'key',
        what: `${path.at(-1)!.toUpperCase()} ${path.at(-2)} requires no authentication`,
      })
    for (const parameter of [...shared, ...listed(data, operation.parameters, [...path, 'parameters'])]) {
      const { path: at, schema: written } = parameter
      if (isTree(written.schema)) inputs.push({ path: [...at, 'schema'], schema: written.schema })
      else if (written.in !== 'body' && written.type !== undefined) inputs.push({ path: at, schema: written })
      inputs.push(...contents(data, written, at))
      if (written.in === 'path' && isOpenParameter(data, written)) weaknesses.push(openParameter(at, written))
    }
    const body = followed(data, operation.requestBody, [...path, 'requestBody'])
    if (body) inputs.push(...contents(data, body.schema, body.path))
    for (const [status, response] of Object.entries(isTree(operation.responses) ? operation.responses : {})) {
      const answer = followed(data, response, [...path, 'responses', status])
      if (!answer) continue
      if (isTree(answer.schema.schema)) outputs.push({ path: [...answer.path, 'schema'], schema: answer.schema.schema })
      outputs.push(...contents(data, answer.schema, answer.path))
    }
  }
  const incoming = collectReached(data, inputs)
  const outgoing = collectReached(data, outputs)
  weaknesses.push(
    ...findUnboundedStrings(incoming, 'input'),
    ...findSensitiveFields(outgoing, 'a response'),
    ...openServers(data),
  )
  return {
    weaknesses: dedupeWeaknesses(weaknesses),
    input_schemas: findSharedNames(incoming),
    output_schemas: findSharedNames(outgoing),
    names: openSchemas(data),
  }
}

interface Operation {
  path: string[]
  operation: Tree
  /** Parameters of the path, which hold for each of its operations. */
  shared: Schema[]
}

function operationsOf(data: Tree): Operation[] {
  return Object.entries(isTree(data.paths) ? data.paths : {}).flatMap(([url, item]) => {
    if (!isTree(item) || !url.startsWith('/')) return []
    const shared = listed(data, item.parameters, ['paths', url, 'parameters'])
    return METHODS.flatMap(method => {
      const operation = item[method]
      return isTree(operation) ? { path: ['paths', url, method], operation, shared } : []
    })
  })
}

/** Whether a credential is asked for: by the operation, else by the document. An empty requirement among others makes it optional. */
function isProtected(data: Tree, operation: Tree): boolean {
  const required = operation.security ?? data.security
  return (
    Array.isArray(required) &&
    required.length > 0 &&
    !required.some(each => isTree(each) && Object.keys(each).length === 0)
  )
}

/** The maps of a list, references followed. */
function listed(data: Tree, list: unknown, path: string[]): Schema[] {
  return (Array.isArray(list) ? list : []).flatMap(
    (item, index) => followed(data, item, [...path, String(index)]) ?? [],
  )
}

/** A map, or the one that its reference leads to; undefined for what is neither. */
function followed(data: Tree, node: unknown, path: string[]): Schema | undefined {
  if (!isTree(node)) return undefined
  const target = splitReference(node.$ref)
  if (!target) return '$ref' in node ? undefined : { path, schema: node }
  const there = resolvePointer(data, String(node.$ref))
  return isTree(there) ? { path: target, schema: there } : undefined
}

/** The schemas of the media types under `content`. */
function contents(data: Tree, holder: Tree, path: string[]): Schema[] {
  return Object.entries(isTree(holder.content) ? holder.content : {}).flatMap(([type, given]) => {
    const media = followed(data, given, [...path, 'content', type])
    return media && isTree(media.schema.schema) ? { path: [...media.path, 'schema'], schema: media.schema.schema } : []
  })
}

/** A path parameter without a pattern. */
function isOpenParameter(data: Tree, parameter: Tree): boolean {
  if ('content' in parameter) return false
  const schema = isTree(parameter.schema) ? parameter.schema : parameter
  const target = '$ref' in schema ? resolvePointer(data, String(schema.$ref)) : schema
  return isTree(target) && isUnboundedString(target)
}

function openParameter(path: string[], parameter: Tree): Weakness {
  return {
    kind: 'path-parameter',
    path: [...path, 'in'],
    part: 'key',
    what: `the path parameter ${String(parameter.name)} has no pattern`,
  }
}

/** Names of the shared schemas that take any text. */
function openSchemas(data: Tree): string[] {
  const shared = isTree(data.components) ? data.components.schemas : data.definitions
  return Object.entries(isTree(shared) ? shared : {})
    .filter(([, schema]) => isTree(schema) && isUnboundedString(schema))
    .map(([name]) => name)
    .sort()
}

/** An address that is reached without encryption; one on the same machine is none. */
export const PLAIN_ADDRESS = /^http:\/\/(?!localhost\b|127\.|\[::1\])/i

function openServers(data: Tree): Weakness[] {
  const found: Weakness[] = []
  const servers = (list: unknown, path: string[]) => {
    for (const [index, server] of (Array.isArray(list) ? list : []).entries())
      if (isTree(server) && PLAIN_ADDRESS.test(String(server.url)))
        found.push({
          kind: 'insecure-server',
          path: [...path, String(index), 'url'],
          part: 'key',
          what: `${String(server.url)} is not encrypted`,
        })
  }
  servers(data.servers, ['servers'])
  for (const { path, operation } of operationsOf(data)) servers(operation.servers, [...path, 'servers'])
  for (const [url, item] of Object.entries(isTree(data.paths) ? data.paths : {}))
    if (isTree(item)) servers(item.servers, ['paths', url, 'servers'])
  const local = /^(?:localhost|127\.|\[::1\])/.test(String(data.host ?? ''))
  if (Array.isArray(data.schemes) && data.schemes.some(scheme => scheme === 'http' || scheme === 'ws') && !local)
    found.push({
      kind: 'insecure-server',
      path: ['schemes'],
      part: 'key',
      what: 'the API server uses no encryption',
    })
  return found
}

/** Shared parts are met from several sides; each place counts once. */
export function dedupeWeaknesses(weaknesses: readonly Weakness[]): Weakness[] {
  const seen = new Set<string>()
  return weaknesses.filter(({ kind, path }) => {
    const key = JSON.stringify([kind, path])
    return !seen.has(key) && seen.add(key)
  })
}
