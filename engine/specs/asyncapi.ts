import { isTree, type SpecDocument, type Tree } from './document.ts'
import { type Analysis, dedupeWeaknesses } from './openapi.ts'
import { resolvePointer, splitReference, walk } from './pointer.ts'
import { collectReached, findSensitiveFields, findSharedNames, findUnboundedStrings, type Schema } from './schemas.ts'
import type { Weakness } from './weakness.ts'

/** Protocols without encryption, by the names that AsyncAPI gives them. */
export const PLAIN_PROTOCOLS = [
  'http',
  'ws',
  'mqtt',
  'mqtt5',
  'amqp',
  'amqp1',
  'stomp',
  'kafka',
  'nats',
  'redis',
] as const

/** The weak places of an AsyncAPI document of version 2 or 3. */
export function analyzeAsyncApi({ data, version }: SpecDocument): Analysis {
  const open = version.startsWith('2.') ? openOperations2(data) : openOperations3(data)
  const payloads = collectReached(data, payloadsOf(data))
  const weaknesses: Weakness[] = [
    ...open.map(({ path, what }): Weakness => ({ kind: 'auth', path, part: 'key', what })),
    ...findUnboundedStrings(payloads, 'payload'),
    ...findSensitiveFields(payloads, 'a payload'),
    ...plainServers(data),
  ]
  const shared = findSharedNames(payloads)
  return {
    weaknesses: dedupeWeaknesses(weaknesses),
    input_schemas: shared,
    output_schemas: shared,
    names: [...new Set(open.map(({ name }) => name))].sort(),
  }
}

interface Open {
  path: string[]
  /** Of the channel or the operation, as rules name it. */
  name: string
  what: string
}

/** Version 2: an operation is protected by its own security, or by that of every server that it may run on. */
function openOperations2(data: Tree): Open[] {
  return entries(data.channels).flatMap(([name, channel]) =>
    ['publish', 'subscribe'].flatMap(action => {
      const operation = channel[action]
      if (!isTree(operation) || isRequired(operation.security)) return []
      if (serversProtect(data, channel.servers)) return []
      return { path: ['channels', name, action], name, what: `${action} on ${name} requires no authentication` }
    }),
  )
}

/** Version 3: operations stand by themselves and name their channel. */
function openOperations3(data: Tree): Open[] {
  return entries(data.operations).flatMap(([name, operation]) => {
    if (isRequired(operation.security)) return []
    const channel = isTree(operation.channel) ? resolvePointer(data, String(operation.channel.$ref)) : undefined
    const servers = isTree(channel) && Array.isArray(channel.servers) ? channel.servers : undefined
    const named = servers?.map(server => (isTree(server) ? splitReference(server.$ref)?.at(-1) : undefined))
    if (serversProtect(data, named)) return []
    return { path: ['operations', name], name, what: `the operation ${name} requires no authentication` }
  })
}

function serversProtect(data: Tree, named: unknown): boolean {
  const all = entries(data.servers)
  const used = Array.isArray(named) && named.length > 0 ? all.filter(([name]) => named.includes(name)) : all
  return used.length > 0 && used.every(([, server]) => isRequired(server.security))
}

function isRequired(security: unknown): boolean {
  return Array.isArray(security) && security.length > 0
}

function entries(map: unknown): [string, Tree][] {
  return Object.entries(isTree(map) ? map : {}).filter((entry): entry is [string, Tree] => isTree(entry[1]))
}

/** The schemas of message payloads, wherever messages are written. Those in other schema languages are not looked at. */
function payloadsOf(data: Tree): Schema[] {
  const found: Schema[] = []
  walk(data, ({ payload, schemaFormat }, path) => {
    if (!isTree(payload) || (schemaFormat !== undefined && !isJsonSchema(schemaFormat))) return
    const inner = isTree(payload.schema) && 'schemaFormat' in payload
    if (inner && !isJsonSchema(payload.schemaFormat)) return
    found.push(
      inner
        ? { path: [...path, 'payload', 'schema'], schema: payload.schema as Tree }
        : { path: [...path, 'payload'], schema: payload },
    )
  })
  return found
}

function isJsonSchema(format: unknown): boolean {
  return /aai\.asyncapi|schema\+(?:json|yaml)/.test(String(format))
}

function plainServers(data: Tree): Weakness[] {
  return entries(data.servers).flatMap(([name, server]): Weakness[] => {
    const protocol = String(server.protocol ?? '').toLowerCase()
    const host = String(server.host ?? server.url ?? '').replace(/^\w+:\/\//, '')
    if (!(PLAIN_PROTOCOLS as readonly string[]).includes(protocol) || /^(?:localhost|127\.|\[::1\])/.test(host))
      return []
    return [
      {
        kind: 'insecure-server',
        path: ['servers', name, 'protocol'],
        part: 'key',
        what: `${name} uses ${protocol} without encryption`,
      },
    ]
  })
}
