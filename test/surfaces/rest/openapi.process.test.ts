import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { openApiDocument } from '../../../api/openapi.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { ROWS, schemas } from '../rows.ts'
import { startServer } from './server-under-test.ts'

interface Document {
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; parameters?: Parameter[]; requestBody?: Body; responses: Record<string, unknown> }
    >
  >
}
interface Parameter {
  name: string
  in: string
  required: boolean
  description: string
  schema: Record<string, unknown>
}
interface Body {
  required: boolean
  content: { 'application/json': { schema: { properties: Record<string, unknown>; required?: string[] } } }
}

it.each([
  ["the test's operations", ROWS, schemas],
  ["the program's operations", OPERATIONS, loadSchemas],
] as const)('the document of %s is valid OpenAPI 3.1', async (_, rows, of) => {
  const document = JSON.parse(JSON.stringify(openApiDocument(rows, of)))
  const { valid, errors } = await new Validator().validate(document)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

it.each([
  ["the test's operations", ROWS, schemas],
  ["the program's operations", OPERATIONS, loadSchemas],
] as const)(
  'every reference in the document of %s leads somewhere, and every operation id is used once',
  (_, rows, of) => {
    const document = openApiDocument(rows, of)
    for (const [, ref] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = ref!
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
      expect(target, ref).toBeDefined()
    }
    const ids = Object.values((document as unknown as Document).paths).flatMap(path =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  },
)

it('every row that REST offers is described, with the pages of the specification and no other', () => {
  const { paths } = openApiDocument(ROWS, schemas) as unknown as Document
  expect(
    Object.entries(paths)
      .flatMap(([path, methods]) => Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`))
      .sort(),
  ).toEqual(
    [
      ...ROWS.flatMap(({ rest }) => (rest ? [rest] : [])),
      ...['GET /auditor', 'GET /health'],
      ...['GET', 'POST', 'DELETE'].map(method => `${method} /api/session`),
    ].sort(),
  )
})

it('a read has its input in path and query, with the words of the schema', () => {
  const { parameters, requestBody } = (openApiDocument(ROWS, schemas) as unknown as Document).paths[
    '/api/things/{thing_id}'
  ]!.get!
  expect(requestBody).toBeUndefined()
  expect(parameters!.map(({ name, in: place, required }) => [name, place, required])).toEqual(
    expect.arrayContaining([
      ['thing_id', 'path', true],
      ['limit', 'query', false],
      ['tags', 'query', false],
    ]),
  )
  expect(parameters!.find(({ name }) => name === 'limit')).toMatchObject({
    description: 'a count from 1 to 100',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  })
})

it('a write has its input in a JSON body, but for the path', () => {
  const { parameters, requestBody } = (openApiDocument(ROWS, schemas) as unknown as Document).paths[
    '/api/things/{thing_id}'
  ]!.post!
  expect(parameters!.map(({ name }) => name)).toEqual(['thing_id'])
  expect(requestBody!.required).toBe(false)
  expect(Object.keys(requestBody!.content['application/json'].schema.properties).sort()).toEqual(['files', 'name'])
})

it('/openapi.json is the document, and /api lists its addresses on a page', async () => {
  const { base } = await startServer()
  expect(await (await fetch(`${base}/openapi.json`)).json()).toEqual(
    JSON.parse(JSON.stringify(openApiDocument(ROWS, schemas))),
  )
  const landing = await fetch(`${base}/api`)
  expect(landing.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const html = await landing.text()
  for (const { rest } of ROWS) if (rest) expect(html).toContain(`<code>${rest.split(' ')[1]}</code>`)
})
