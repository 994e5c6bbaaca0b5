import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { View } from '../../../engine/base/text/view.ts'
import importSpec from '../../../engine/ops/specs/import.ts'
import { detectFormat } from '../../../engine/specs/document.ts'
import { makeSpecPack } from '../../../engine/specs/pack.ts'
import { isSensitive } from '../../../engine/specs/weakness.ts'
import { refusal, surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const places = async (text: string, file = 'api.yaml') =>
  (await makeSpecPack(bytes(text), { file, path: file })).places.map(
    ({ kind, pointer, place }) => `${place.line} ${kind} ${pointer}`,
  )

const OPENAPI = `openapi: 3.1.0
info: { title: Orders API, version: '1' }
servers:
  - url: http://api.example.com
  - url: http://localhost:8080
security:
  - key: []
paths:
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      security: []
      responses:
        '200':
          description: an order
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
    put:
      requestBody:
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Order' }
      responses: { '204': { description: done } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Order:
      type: object
      properties:
        note: { type: string }
        state: { type: string, enum: [open, done] }
        card_number: { type: string, maxLength: 19 }
        pin: { type: string, maxLength: 4, writeOnly: true }
    Unused: { type: string }
`

describe('svc import-spec', () => {
  const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
  const input = { overwrite: false, enable: false }

  test('promises scans of the document only where it is in the repository', async () => {
    const outside = project({ 'api.yaml': OPENAPI })
    const root = project({ 'api.yaml': OPENAPI })
    const { context } = surface(root)
    const within = await importSpec.run({ ...input, file: 'api.yaml' }, context)
    expect(importSpec.text(within, view)).toMatch(/6 weaknesses\.\nIt is active: every scan checks the file\.$/)
    const without = await importSpec.run({ ...input, file: join(outside, 'api.yaml'), id: 'other' }, context)
    expect(importSpec.text(without, view)).toContain(
      'The file is outside the repository, so scans check files of the repository named api.yaml.',
    )
  })

  test.each([
    ['ignored by git', { '.gitignore': 'built/\n' }],
    ['excluded by scan_exclude', { '.svc/config.yaml': 'scan_exclude: [built]\n' }],
  ])('says that scans leave the document out where %s', async (_, files) => {
    const root = project({ ...files, 'a.yaml': 'x: 1\n' })
    write(root, { 'built/api.yaml': OPENAPI })
    const output = await importSpec.run({ ...input, file: 'built/api.yaml' }, surface(root).context)
    expect(importSpec.text(output, view)).toMatch(/Scans skip built\/api\.yaml .*\.\nIt is active\.$/)
  })

  test('says where no file of the repository has the name of a document outside it', async () => {
    const { context } = surface(project({ 'a.yaml': 'x: 1\n' }))
    const output = await importSpec.run({ ...input, file: join(project({ 'api.yaml': OPENAPI }), 'api.yaml') }, context)
    expect(importSpec.text(output, view)).toMatch(/named api\.yaml; none exists now\.\nIt is active\.$/)
  })

  test('says where no scan will use the rules', async () => {
    const root = project({ 'api.yaml': OPENAPI, '.svc/config.yaml': 'packs: { detect: false, enable: [secrets] }\n' })
    const output = await importSpec.run({ ...input, file: 'api.yaml' }, surface(root).context)
    expect(output.enabled).toBe(false)
    expect(importSpec.text(output, view)).toContain('Activate it: svc add-pack orders-api')
  })
})

describe('OpenAPI', () => {
  test('the weak places are named with pointer and line, and no others', async () => {
    expect(await places(OPENAPI)).toEqual([
      '4 insecure-server /servers/0/url',
      '11 path-parameter /paths/~1orders~1{id}/parameters/0/in',
      '11 unbounded-string /paths/~1orders~1{id}/parameters/0/schema/type',
      '12 auth /paths/~1orders~1{id}/get',
      '33 unbounded-string /components/schemas/Order/properties/note/type',
      '35 sensitive-field /components/schemas/Order/properties/card_number',
    ])
  })

  test('the pack is called as the document is, unless an id is given', async () => {
    const of = async (id?: string) =>
      (await makeSpecPack(bytes(OPENAPI), { file: 'a.yaml', path: 'a.yaml', ...(id && { id }) })).draft.head.id
    expect([await of(), await of('mine')]).toEqual(['orders-api', 'mine'])
  })

  test('a reference that leads nowhere is refused with its place', async () => {
    const error = await refusal(() => places(OPENAPI.replace("schemas/Order' }\n    put", "schemas/Odrer' }\n    put")))
    expect(error.message).toContain('api.yaml:19:')
    expect(error.message).toContain('#/components/schemas/Odrer, which is not there')
  })

  test.each([
    ['openapi: 3.9.0\n', /1:10 .*version 3\.9\.0 is not known/],
    ['openapi: 3.1\n', /openapi must be a text/],
    [
      'openapi: 3.0.0\ninfo: { title: x, version: "1" }\npaths:\n  /a:\n    gett: {}\n',
      /5:5 .*gett is not a key that may stand there/,
    ],
    ['openapi: "3.0.0\n', /cannot be (?:read|parsed)/],
  ])('%j is refused with its place', async (text, message) => {
    const error = await refusal(() => places(text))
    expect(error.code).toBe('INPUT_INVALID')
    expect(error.message).toMatch(message)
    expect(error.place).toMatchObject({ file: 'api.yaml', line: expect.any(Number), column: expect.any(Number) })
  })
})

describe('AsyncAPI', () => {
  test('version 2: channels, payloads and brokers', async () => {
    const text = `asyncapi: 2.6.0
info: { title: Events, version: '1' }
servers:
  main: { url: broker.example.com, protocol: mqtt }
channels:
  orders/made:
    publish:
      message:
        payload:
          type: object
          properties:
            note: { type: string }
            session_token: { type: string, maxLength: 64 }
`
    expect(await places(text)).toEqual([
      '4 insecure-server /servers/main/protocol',
      '7 auth /channels/orders~1made/publish',
      '12 unbounded-string /channels/orders~1made/publish/message/payload/properties/note/type',
      '13 sensitive-field /channels/orders~1made/publish/message/payload/properties/session_token',
    ])
  })

  test('version 3: an operation is protected where every server of its channel is', async () => {
    const text = (security: string) => `asyncapi: 3.0.0
info: { title: Events, version: '1' }
servers:
  main: { host: broker.example.com, protocol: kafka-secure${security} }
channels:
  made: { address: made, servers: [{ $ref: '#/servers/main' }] }
operations:
  take: { action: receive, channel: { $ref: '#/channels/made' } }
`
    expect(await places(text(''))).toEqual(['8 auth /operations/take'])
    expect(await places(text(', security: [{ type: scramSha256 }]'))).toEqual([])
  })
})

describe('protobuf', () => {
  const PROTO = `syntax = "proto3";
package acme.orders;
message Order {
  // string old = 9;
  string note = 1;
  string code = 2 [(buf.validate.field).string.max_len = 8];
  string user_password = 3 [(buf.validate.field).string.max_len = 80];
  map<string, string> labels = 4;
  oneof payment { bytes token = 5; }
}
service Orders {
  rpc Make(Order) returns (Order);
  rpc Take(Order) returns (Order) { option deprecated = true; }
}
`
  test('fields and calls are named with their lines, and calls become an obligation', async () => {
    expect(await places(PROTO, 'orders.proto')).toEqual([
      '5 unbounded-string /Order/note',
      '7 sensitive-field /Order/user_password',
      '9 unbounded-string /Order/token',
      '12 auth /Orders/Make',
      '13 auth /Orders/Take',
    ])
    const { draft } = await makeSpecPack(bytes(PROTO), { file: 'orders.proto', path: 'orders.proto' })
    expect(draft.head).toMatchObject({ id: 'acme-orders', obligations: [{ title: 'Authentication of Orders' }] })
  })

  test('what is none is refused with its line', async () => {
    const error = await refusal(() => places('syntax = "proto3";\nmessage A {\n  string a = ;\n}\n', 'a.proto'))
    expect(error.place).toEqual({ file: 'a.proto', line: 3, column: 1 })
  })
})

test.each([
  ['{"openapi": "3.0.0"}', 'a.json', 'openapi'],
  ['# c\nswagger: "2.0"\n', 'a.yaml', 'openapi'],
  ['asyncapi: 3.0.0\n', 'a.yaml', 'asyncapi'],
  ['message A {}', 'a.proto', 'protobuf'],
  ['syntax = "proto3";', 'a.txt', 'protobuf'],
  ['hello: world', 'a.yaml', undefined],
])('the format of %j in %s is %s', (text, file, format) => {
  expect(detectFormat(text, file)).toBe(format)
})

test('a name is sensitive as the last words of a longer one, and not as letters of another', () => {
  const names = [
    'password',
    'user_password',
    'userPassword',
    'API_KEY',
    'apiKey',
    'x-api-key',
    'passwordHash',
    'dateOfBirth',
  ]
  expect(names.filter(name => !isSensitive(name))).toEqual([])
  expect(['spin', 'pinned', 'password_policy_url', 'secretary', 'token_count', 'opinion'].filter(isSensitive)).toEqual(
    [],
  )
})
