import { expect, test } from 'vitest'
import type { Value } from '../../../engine/detect/resource/configuration.ts'
import { readHcl } from '../../../engine/detect/resource/hcl.ts'
import fc from '../../made/property.ts'

/** A value as plain data, without its offsets. */
function plain(value: Value): unknown {
  if (value.kind === 'list') return value.items.map(plain)
  if (value.kind === 'object') return Object.fromEntries([...value.entries].map(([key, inner]) => [key, plain(inner)]))
  if (value.kind === 'reference') return { reference: value.path.join('.') }
  return value.kind === 'unknown' ? 'unknown' : value.text
}

const argumentsOf = (text: string) => {
  const { blocks, complete } = readHcl(`a {\n${text}\n}\n`)
  expect(complete).toBe(true)
  return Object.fromEntries([...blocks[0]!.arguments].map(([name, { value }]) => [name, plain(value)]))
}

test('blocks have their keyword, labels and nested blocks', () => {
  const { blocks } = readHcl('resource "aws_instance" web {\n  root_block_device {\n    encrypted = true\n  }\n}\n')
  expect(blocks.map(({ keyword, labels }) => [keyword, ...labels])).toEqual([['resource', 'aws_instance', 'web']])
  expect(blocks[0]!.blocks.map(({ keyword }) => keyword)).toEqual(['root_block_device'])
})

test('a value is a literal, a list, an object or a reference', () => {
  expect(
    argumentsOf(`
      text = "a \\"b\\""
      number = -1.5
      truth = true
      list = ["a", 2, # two
        var.c,
      ]
      object = { "a b" = 1, c : false }
      name = local.ports["ssh"].from
      alone = "\${var.port}"
    `),
  ).toEqual({
    text: 'a "b"',
    number: '-1.5',
    truth: 'true',
    list: ['a', '2', { reference: 'var.c' }],
    object: { 'a b': '1', c: 'false' },
    name: { reference: 'local.ports.ssh.from' },
    alone: { reference: 'var.port' },
  })
})

test('what jsonencode and sensitive are given is the value', () => {
  expect(
    argumentsOf(`
      policy = jsonencode({ Statement = [{ Action = "*" }] })
      password = sensitive(var.password)
    `),
  ).toEqual({ policy: { Statement: [{ Action: '*' }] }, password: { reference: 'var.password' } })
})

test('a heredoc with a JSON object is the object, with what is filled in as unknown', () => {
  expect(
    argumentsOf(
      'policy = <<-EOT\n  {\n    "Statement": [{ "Effect": "Allow", "Resource": "${aws_s3_bucket.a.arn}/*" }]\n  }\n  EOT\nafter = 1',
    ),
  ).toEqual({ policy: { Statement: [{ Effect: 'Allow', Resource: 'unknown' }] }, after: '1' })
})

test('a heredoc that only begins like JSON stays a text', () => {
  expect(argumentsOf('script = <<EOT\n{ echo a; }\n[ -e b ]\nEOT\nopen = <<EOT\n{ "a": [\nEOT\nafter = 1')).toEqual({
    script: '{ echo a; }\n[ -e b ]\n',
    open: '{ "a": [\n',
    after: '1',
  })
})

test('calls and texts with parts are unknown, and end where they end', () => {
  expect(
    argumentsOf(`
      call = merge({ a = "}" })
      parts = "x-\${lookup(var.m, "k")}-y"
      each = [for one in var.list : one]
      after = 1
    `),
  ).toEqual({ call: 'unknown', parts: 'unknown', each: 'unknown', after: '1' })
})

test('both branches of a condition are values', () => {
  expect(
    argumentsOf(`
      one = var.a ? "b" : "c"
      compared = var.env == "prod" && !var.open ? true : false # why
      chain = var.a ? 1 : var.b ? 2 : 3
      held = [(var.a ? "b" : "c")]
      called = var.a ? merge({ a = "?" }) : null
      open = var.a ? "b"
      after = 1
    `),
  ).toEqual({
    one: ['b', 'c'],
    compared: ['true', 'false'],
    chain: ['1', ['2', '3']],
    held: [['b', 'c']],
    called: ['unknown', 'null'],
    open: 'unknown',
    after: '1',
  })
})

test('conditions within conditions are read to a depth, and what is deeper is not called read', () => {
  for (const part of ['b ? ', 'b ? c : ']) {
    const { blocks, complete } = readHcl(`resource "a" "b" {\n  a = ${part.repeat(5000)}c\n  after = 1\n}\n`)
    expect([blocks[0]!.arguments.has('after'), complete]).toEqual([true, false])
  }
})

test('a conversion gives what it is given', () => {
  expect(argumentsOf('set = toset(["a", "b"])')).toEqual({ set: ['a', 'b'] })
})

test('a heredoc is a text, and braces in it are no blocks', () => {
  expect(argumentsOf('policy = <<-EOT\n  { "Action": "*" }\n  EOT\nafter = 2')).toMatchObject({ after: '2' })
})

test('comments of all three forms are skipped', () => {
  expect(argumentsOf('# a = 1\n// b = 2\n/* c = 3\n } */ d = 4 # five')).toEqual({ d: '4' })
})

test.each([
  ['a comment with a bracket', 'max(1, 2 /* ( */)'],
  ['a comment to the line end with a bracket', 'max(1, // (\n 2)'],
  ['a comment with a quote', 'max(1, 2 # "\n)'],
  ['a heredoc with brackets', 'f(<<EOT\n( [ { "\nEOT\n)'],
  ['a heredoc whose expression holds its marker', 'f(<<EOT\n${g("\\nEOT", "}")} (\n EOT\n)'],
  ['a text with a text in an expression', 'f("${g("(")} [")'],
  ['a text with signs that fill nothing in', 'f("$${ (", "%%{ {", "100% $")'],
  ['a comment behind an expression', 'b + 1 # d'],
  ['a comment behind an operator', 'b + /* \n } */ 1'],
])('a resource behind %s is read', (_, value) => {
  const { blocks, complete } = readHcl(`a {\n  x = ${value}\n  y = 1\n}\nresource "b" "c" {\n}\n`)
  expect(blocks.map(({ keyword }) => keyword)).toEqual(['a', 'resource'])
  expect([...blocks[0]!.arguments.keys()]).toEqual(['x', 'y'])
  expect(complete).toBe(true)
})

/** Expressions of HCL, as deep as they come, with comments and texts that look like what ends them. */
const expressions = fc.letrec<{ expression: string; text: string }>(tie => ({
  text: fc
    .array(
      fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('(', ')', '}', '{', '[', '/*', '#', '//', '\\"', '\\\\', '$${', '%%{', '$ ', '% '),
        tie('expression').map(inner => `\${${inner}}`),
      ),
      { maxLength: 3 },
    )
    .map(parts => parts.join('')),
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('1', 'var.a', '/* ) } " */ 2', 'true'),
    tie('text').map(inner => `"${inner}"`),
    tie('expression').map(inner => `f(${inner} /* ( */ , 1 // {\n)`),
    tie('expression').map(inner => `[${inner}, # [ "\n 2]`),
    tie('text').map(inner => `f(<<-EOT\n${inner}\n  EOT\n)`),
  ),
}))

test('a resource behind any expression is read', () => {
  fc.assert(
    fc.property(expressions.expression, value => {
      const { blocks } = readHcl(`a {\n  x = [${value}]\n}\nresource "b" "c" {\n}\n`)
      expect(blocks.map(({ keyword }) => keyword)).toEqual(['a', 'resource'])
    }),
    { numRuns: 2000 },
  )
})

test('escapes in texts and labels stand for their characters', () => {
  expect(argumentsOf('a = "\\u0061\\U00000062\\n\\t\\"\\\\$${c}%%{d}"')).toEqual({ a: 'ab\n\t"\\${c}%{d}' })
  expect(readHcl('resource "\\u0061ws" "b" {}').blocks[0]!.labels).toEqual(['aws', 'b'])
})

test.each(['"\\x"', '"\\u12"', '"\\UFFFFFFFF"', '"${var.a}"'])(
  'a block with the label %s is not called read',
  label => {
    expect(readHcl(`resource ${label} "b" {}`)).toMatchObject({ complete: false, blocks: [{ keyword: 'resource' }] })
  },
)

test('what is cut off or no HCL is said, and the rest is read', () => {
  const { blocks, complete } = readHcl('%%%\nresource "a" "b" {\n  c = 1\n')
  expect(complete).toBe(false)
  expect(blocks[0]!.arguments.get('c')).toBeDefined()
})

test('any text is read without an error, and every offset lies in it in order', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      '"',
      '${',
      '}',
      '{',
      '[',
      ']',
      '=',
      '\n',
      '<<E\n',
      'E\n',
      '(',
      ')',
      ',',
      '#',
      '/*',
      '*/',
      '//',
      '\\',
      '.',
      '1',
      'for ',
      ' ',
    ],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), pieces => {
      const text = pieces.join('')
      const walk = (blocks: ReturnType<typeof readHcl>['blocks']): void => {
        for (const block of blocks) {
          expect(0 <= block.start && block.start < block.end && block.end <= text.length).toBe(true)
          for (const { start, value } of block.arguments.values())
            expect(start < value.end || value.start === value.end).toBe(true)
          walk(block.blocks)
        }
      }
      walk(readHcl(text).blocks)
    }),
    { numRuns: 3000 },
  )
})

test('an expression with 200,000 heredocs without a body is read to its end', () => {
  expect(readHcl(`a {\n  b = 1 ${'<<E '.repeat(200_000)}`)).toMatchObject({
    complete: false,
    blocks: [{ keyword: 'a' }],
  })
})

// Quadratic work on any of these would take minutes, far beyond the time that a test has.
test.each([
  '<<E',
  '<<E ',
  'f(<<E\n',
  '"${"${',
  '(/*',
  '\\u0061',
  '{',
  '[',
  '"${',
  '/*',
  '<<E\n',
  'a = toset(',
  'a {\n',
  'a = [',
  '"',
  'a = "${"',
  '/* "',
  'a = {\n',
])('a file of 200,000 times %j is read to its end', part => {
  expect(readHcl(part.repeat(200_000)).complete).toBe(false)
})
