import { formatYaml } from '../sources/packs/pack-file.ts'
import type { SpecDocument, Tree } from './document.ts'
import type { Analysis } from './openapi.ts'
import type { WeaknessKind } from './weakness.ts'

type Examples = { match: unknown[]; clean: unknown[] }

/** Documents that the rule for a kind must find something in, and must not, written as the document is. */
export async function makeExamples(
  kind: WeaknessKind,
  { format, version, language }: SpecDocument,
  analysis: Analysis,
  path: string,
): Promise<Examples> {
  const make = format === 'openapi' ? openApi : asyncApi
  const written = async (data: Tree) => ({
    path,
    code: language === 'json' ? JSON.stringify(data, null, 2) : await formatYaml(data),
  })
  return {
    match: [await written(make(kind, version, analysis.names, true))],
    clean: [await written(make(kind, version, analysis.names, false))],
  }
}

const LOGIN = [{ login: [] }]

function openApi(kind: WeaknessKind, version: string, _names: readonly string[], weak: boolean): Tree {
  const old = version.startsWith('2.')
  const head = old ? { swagger: '2.0' } : { openapi: version }
  const text = weak ? { type: 'string' } : { type: 'string', maxLength: 80 }
  const item = (operation: Tree) => ({ ...head, paths: { '/orders/{id}': { get: operation } } })
  const placed = (schema: Tree) => (old ? { schema } : { content: { 'application/json': { schema } } })
  switch (kind) {
    case 'auth':
      return item({ ...(weak ? {} : { security: LOGIN }), responses: {} })
    case 'unbounded-string': {
      const schema = { type: 'object', properties: { note: text } }
      return item(
        old
          ? { security: LOGIN, parameters: [{ in: 'body', name: 'order', schema }] }
          : { security: LOGIN, requestBody: placed(schema) },
      )
    }
    case 'sensitive-field': {
      const field = weak ? 'password' : 'display_name'
      return item({
        security: LOGIN,
        responses: { 200: placed({ type: 'object', properties: { [field]: { type: 'integer' } } }) },
      })
    }
    case 'insecure-server':
      return old
        ? { ...head, schemes: [weak ? 'http' : 'https'] }
        : { ...head, servers: [{ url: `${weak ? 'http' : 'https'}://api.example.com` }] }
    case 'path-parameter': {
      const parameter = { name: 'id', in: 'path', required: true }
      return item({ security: LOGIN, parameters: [old ? { ...parameter, ...text } : { ...parameter, schema: text }] })
    }
  }
}

function asyncApi(kind: WeaknessKind, version: string, names: readonly string[], weak: boolean): Tree {
  const old = version.startsWith('2.')
  const head = { asyncapi: version }
  const message = (payload: Tree) => ({ ...head, components: { messages: { made: { payload } } } })
  switch (kind) {
    case 'auth': {
      const name = names[0] ?? 'orders'
      const operation = weak ? { summary: 'made' } : { security: LOGIN }
      return old
        ? { ...head, channels: { [name]: { publish: operation } } }
        : { ...head, operations: { [name]: { action: 'send', ...operation } } }
    }
    case 'unbounded-string':
      return message({
        type: 'object',
        properties: { note: weak ? { type: 'string' } : { type: 'string', maxLength: 80 } },
      })
    case 'sensitive-field':
      return message({ type: 'object', properties: { [weak ? 'password' : 'display_name']: { type: 'integer' } } })
    case 'insecure-server':
      return { ...head, servers: { main: { host: 'broker.example.com', protocol: weak ? 'mqtt' : 'mqtts' } } }
    case 'path-parameter':
      return head
  }
}
