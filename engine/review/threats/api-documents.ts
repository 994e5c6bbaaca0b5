import { findReached } from '../../base/technologies/technologies.ts'
import type { Reached } from '../../base/technologies/technology.ts'
import { isObject } from '../../base/text/json-object.ts'
import { isTree } from '../../specs/document.ts'
import { METHODS } from '../../specs/openapi.ts'
import { findTechnologyByScheme } from '../code/uses.ts'
import type { LineOf } from './infrastructure.ts'
import type { EntryPoint } from './model.ts'

/** What a description of an API says of the program that has it. */
export interface ApiDocument {
  entry_points: EntryPoint[]
  /** The line of a security scheme, where there is one. */
  auth?: number
  /** Hosts of identity providers, with their lines. */
  hosts: { host: string; line: number; what: string }[]
  /** Lines of callbacks and webhooks: the program sends requests to addresses of its clients. */
  callbacks: number[]
  /** Brokers whose messages the program takes or sends. */
  brokers: { technology: Reached; line: number }[]
}

const MOST_PATHS = 2000

/** Reads a document of OpenAPI, Swagger or AsyncAPI. */
export function readApiDocument(document: unknown, file: string, lineOf: LineOf): ApiDocument {
  const found: ApiDocument = { entry_points: [], hosts: [], callbacks: [], brokers: [] }
  if (!isTree(document)) return found
  if (document.asyncapi !== undefined) readAsync(document, file, lineOf, found)
  if (isTree(document.paths)) found.entry_points.push(...listOperations(document.paths, file, lineOf, found))
  if (isTree(document.webhooks) && Object.keys(document.webhooks).length > 0) found.callbacks.push(lineOf('webhooks'))
  const components = isTree(document.components) ? document.components : {}
  for (const schemes of [components.securitySchemes, document.securityDefinitions]) {
    if (!isTree(schemes)) continue
    for (const [name, scheme] of Object.entries(schemes).slice(0, 100)) {
      found.auth ??= lineOf(name)
      for (const host of listHosts(scheme))
        found.hosts.push({ host, line: lineOf(name), what: `identity provider ${host}` })
    }
  }
  return found
}

function listOperations(
  paths: Record<string, unknown>,
  file: string,
  lineOf: LineOf,
  found: ApiDocument,
): EntryPoint[] {
  return Object.entries(paths)
    .slice(0, MOST_PATHS)
    .flatMap(([path, item]) => {
      if (!isTree(item)) return []
      const line = lineOf(path)
      return METHODS.filter(method => Object.hasOwn(item, method)).map((method): EntryPoint => {
        const operation = item[method]
        if (isTree(operation) && isTree(operation.callbacks)) found.callbacks.push(line)
        return { method: method.toUpperCase(), path, framework: 'OpenAPI', file, line, source: 'openapi' }
      })
    })
}

/** Hosts of the addresses that a security scheme names. */
function listHosts(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') {
    const host = /^https?:\/\/([a-z0-9][a-z0-9.-]{1,200}\.[a-z]{2,24})(?=[:/]|$)/i.exec(value)?.[1]?.toLowerCase()
    return host === undefined || /(?:^|\.)example\.(?:com|org|net)$/.test(host) ? [] : [host]
  }
  if (!isObject(value) || depth > 4) return []
  const named = Object.entries(value).filter(([key, each]) => typeof each !== 'string' || /Url$/.test(key))
  return [...new Set(named.flatMap(([, each]) => listHosts(each, depth + 1)))]
}

/** Brokers and channels of AsyncAPI 2 and 3. */
function readAsync(document: Record<string, unknown>, file: string, lineOf: LineOf, found: ApiDocument): void {
  const entry = (path: string, method = 'MESSAGE') =>
    found.entry_points.push({ method, path, framework: 'AsyncAPI', file, line: lineOf(path), source: 'openapi' })
  const servers = isTree(document.servers) ? Object.entries(document.servers) : []
  for (const [name, server] of servers.slice(0, 50)) {
    const protocol = isTree(server) ? String(server.protocol).replace(/-secure$/, '') : ''
    const technology = findReached(protocol) ?? findTechnologyByScheme(protocol)
    if (technology) found.brokers.push({ technology, line: lineOf(name) })
  }
  if (isTree(document.operations)) {
    for (const [name, operation] of Object.entries(document.operations).slice(0, MOST_PATHS))
      if (isTree(operation) && operation.action === 'receive') entry(name)
    return
  }
  // In version 2, `publish` is what others send to the program.
  const channels = isTree(document.channels) ? Object.entries(document.channels) : []
  for (const [name, channel] of channels.slice(0, MOST_PATHS))
    if (isTree(channel) && channel.publish !== undefined) entry(name)
}
