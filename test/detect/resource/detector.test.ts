import { expect, test } from 'vitest'
import type { PackedRule, ResourceRule } from '../../../engine/base/records/rule.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import detector from '../../../engine/detect/resource/detector.ts'
import kind from '../../../engine/detect/resource/rule-kind.ts'
import type { Task } from '../../../engine/detect/rules/detector.ts'
import { readRule } from '../../../engine/sources/packs/parse.ts'

const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

function scan(resources: object[], text: string, path = 'main.tf') {
  const rule = readRule(
    {
      id: 'own-rule',
      type: 'resource',
      title: 'A rule',
      message: 'Something is found.',
      severity: 'high',
      languages: ['hcl'],
      remediation: 'None.',
      match: ['a'],
      clean: ['b'],
      resources,
    },
    'rule',
    'own',
    () => ({ file: 'rule' }),
  )
  const bytes = new TextEncoder().encode(text)
  return scanFile(new RuleSet([rule]), { path, language: 'hcl', in_test: false, bytes }, LIMITS)
}

const lines = (resources: object[], text: string) => scan(resources, text).matches.map(({ line }) => line)

const INGRESS = [
  {
    types: ['aws_security_group'],
    within: 'ingress',
    property: 'from_port',
    covers: [22],
    until: 'to_port',
    and: [{ property: 'cidr_blocks', is: ['0.0.0.0/0'] }],
  },
]

const ENCRYPTED = [{ types: ['aws_ebs_volume'], property: 'encrypted', is: [false], absent: true }]

test('an unsafe value is reported at the property, a missing one at the block', () => {
  expect(lines(ENCRYPTED, 'resource "aws_ebs_volume" "a" {\n  size = 1\n  encrypted = false\n}\n')).toEqual([3])
  expect(lines(ENCRYPTED, '\nresource "aws_ebs_volume" "a" {\n  size = 1\n}\n')).toEqual([2])
  expect(lines(ENCRYPTED, 'resource "aws_ebs_volume" "a" {\n  encrypted = null\n}\n')).toEqual([1])
})

test.each([
  ['in brackets', 'encrypted = (false)'],
  ['as a text of one literal', 'encrypted = "${false}"'],
  ['by the value of each', 'for_each = { a = false }\n  encrypted = each.value'],
  ['by the key of each', 'for_each = toset(["false"])\n  encrypted = each.key'],
])('an unsafe value is found %s', (_, text) => {
  expect(lines(ENCRYPTED, `resource "aws_ebs_volume" "a" {\n  ${text}\n}\n`)).toHaveLength(1)
})

test('the keys of what a dynamic block is made for are values', () => {
  const rule = (each: string) =>
    `resource "aws_security_group" "a" {\n  dynamic "ingress" {\n    for_each = ${each}\n    content {\n      from_port = ingress.key\n      to_port = ingress.key\n      cidr_blocks = [ingress.value]\n    }\n  }\n}\n`
  expect(lines(INGRESS, rule('{ "22" = "0.0.0.0/0" }'))).toEqual([2])
  expect(lines(INGRESS, rule('{ "22" = "10.0.0.0/8" }'))).toEqual([])
})

test('a safe value, another type and a value that the file does not say are not reported', () => {
  expect(lines(ENCRYPTED, 'resource "aws_ebs_volume" "a" {\n  encrypted = true\n}\n')).toEqual([])
  expect(lines(ENCRYPTED, 'resource "aws_ebs_volumes" "a" {\n  encrypted = false\n}\n')).toEqual([])
  expect(lines(ENCRYPTED, 'resource "aws_ebs_volume" "a" {\n  encrypted = module.a.encrypted\n}\n')).toEqual([])
})

test('a value of one branch of a condition is reported, and one that both branches leave out is missing', () => {
  const volume = (value: string) => `resource "aws_ebs_volume" "a" {\n  encrypted = ${value}\n}\n`
  expect(lines(ENCRYPTED, volume('var.env == "prod" ? true : false'))).toEqual([2])
  expect(lines(ENCRYPTED, volume('var.env == "prod" ? true : null'))).toEqual([])
  expect(lines(ENCRYPTED, volume('var.env == "prod" ? true : var.encrypted'))).toEqual([])
  expect(lines(ENCRYPTED, volume('var.env == "prod" ? null : null'))).toEqual([1])
})

test('a type and a value that are written in escapes are what they stand for', () => {
  expect(lines(ENCRYPTED, 'resource "aws_ebs\\u005fvolume" "a" {\n  encrypted = "\\U00000066alse"\n}\n')).toEqual([2])
})

test('values are followed through locals and defaults of variables', () => {
  const names = 'locals {\n  on = var.on\n}\nvariable "on" {\n  default = false\n}\n'
  expect(lines(ENCRYPTED, `${names}resource "aws_ebs_volume" "a" {\n  encrypted = local.on\n}\n`)).toEqual([8])
})

test('names that stand for each other come to an end', () => {
  const names = 'locals {\n  a = local.b\n  b = local.a\n}\n'
  expect(lines(ENCRYPTED, `${names}resource "aws_ebs_volume" "a" {\n  encrypted = local.a\n}\n`)).toEqual([])
})

test.each([
  ['a list of itself', '[local.a]'],
  ['two lists of each other', '[local.b, local.b]'],
  ['an object of itself', '{ a = local.a }'],
])('%s comes to an end, and is called too costly or unknown', (_, value) => {
  const names = `locals {\n  a = ${value}\n  b = [local.a, local.a]\n}\n`
  const own = scan(ENCRYPTED, `${names}resource "aws_ebs_volume" "a" {\n  encrypted = local.a\n}\n`)
  expect(own.matches).toEqual([])
  expect(own.failures.every(({ reason }) => reason === 'too_costly')).toBe(true)
})

test('names of a list with 300,000 values are followed without an error', () => {
  const values = Array.from({ length: 300_000 }, () => '1').join(',')
  const text = `locals {\n  a = [${values}]\n}\nresource "aws_ebs_volume" "a" {\n  encrypted = local.a\n}\n`
  expect(scan(ENCRYPTED, text).failures).toMatchObject([{ reason: 'too_costly' }])
})

test('references into lists of objects are counted', () => {
  const objects = Array.from({ length: 5_000 }, () => '{ a = 1 }').join(',')
  const names = Array.from({ length: 5_000 }, () => 'local.all.b').join(',')
  const text = `locals {\n  all = [${objects}]\n}\nresource "aws_ebs_volume" "a" {\n  encrypted = [${names}]\n}\n`
  expect(scan(ENCRYPTED, text).failures).toMatchObject([{ reason: 'too_costly' }])
})

test('blocks that a rule asks over and over are counted', () => {
  const entries = Array.from({ length: 2_000 }, (_, at) => `k${at} = 1`).join(',')
  const dynamic = `  dynamic "ingress" {\n    for_each = { ${entries} }\n    content {\n    }\n  }\n`
  const text = `resource "aws_security_group" "a" {\n${dynamic.repeat(200)}}\n`
  expect(scan(INGRESS, text).failures).toMatchObject([{ reason: 'too_costly' }])
})

test('a file whose reading is broken off twice is not read for each further rule', () => {
  let reads = 0
  const failures: string[] = []
  // The clock ends a reading anywhere, which is an error where it stands.
  const searched = {
    get code(): string {
      reads++
      throw new Error('broken off')
    },
    file: { language: 'hcl' },
    rules: { rules: Array.from({ length: 5 }, () => ({ resources: [] })) },
    fail: (_: number, reason: string) => failures.push(reason),
  }
  const search = detector.begin(searched as never)
  for (let index = 0; index < 5; index++) {
    const task = search.admit(index) as Task
    if (index < 2) expect(() => task.run()).toThrow('broken off')
    else expect(task.run()).toEqual([])
  }
  expect([reads, failures]).toEqual([2, ['timed_out', 'timed_out', 'timed_out']])
})

test('what is missing is named, all of a block together', () => {
  const rows = ['a', 'b'].map(property => ({ types: ['aws_ebs_volume'], property, absent: true }))
  expect(scan(rows, 'resource "aws_ebs_volume" "x" {\n}\n').matches.map(({ note }) => note)).toEqual(['Not set: a, b.'])
})

test('each nested block is asked for itself, and a range holds the ports between its ends', () => {
  const block = (from: number, to: number, address: string) =>
    `  ingress {\n    from_port = ${from}\n    to_port = ${to}\n    cidr_blocks = ["${address}"]\n  }\n`
  const group = (...blocks: string[]) => `resource "aws_security_group" "a" {\n${blocks.join('')}}\n`
  expect(lines(INGRESS, group(block(443, 443, '0.0.0.0/0'), block(20, 25, '0.0.0.0/0')))).toEqual([7])
  expect(lines(INGRESS, group(block(22, 22, '10.0.0.0/8'), block(443, 443, '0.0.0.0/0')))).toEqual([])
})

test('a dynamic block is asked with what its iterator stands for', () => {
  const group = (ports: string) =>
    `resource "aws_security_group" "a" {\n  dynamic "ingress" {\n    for_each = ${ports}\n    content {\n      from_port = ingress.value\n      to_port = ingress.value\n      cidr_blocks = ["0.0.0.0/0"]\n    }\n  }\n}\n`
  expect(lines(INGRESS, group('[80, 22]'))).toEqual([2])
  expect(lines(INGRESS, group('[80, 443]'))).toEqual([])
  expect(lines(INGRESS, group('var.ports'))).toEqual([])
})

test('a dynamic block is asked with what a name stands for that it is made for', () => {
  const group = (port: number) =>
    `locals {\n  rules = { ssh = { port = ${port}, from = ["0.0.0.0/0"] } }\n}\nresource "aws_security_group" "a" {\n  dynamic "ingress" {\n    for_each = local.rules\n    content {\n      from_port = ingress.value.port\n      to_port = ingress.value.port\n      cidr_blocks = ingress.value.from\n    }\n  }\n}\n`
  expect(lines(INGRESS, group(22))).toEqual([5])
  expect(lines(INGRESS, group(443))).toEqual([])
})

test('a type with an asterisk is any type of such a name', () => {
  const rows = [{ types: ['google_*_iam_member', 'provider.*'], property: 'member', is: ['allUsers'] }]
  const block = (head: string) => `${head} {\n  member = "allUsers"\n}\n`
  expect(lines(rows, block('resource "google_pubsub_topic_iam_member" "a"'))).toEqual([2])
  expect(lines(rows, block('provider "google"'))).toEqual([2])
  for (const head of ['resource "google_iam_member" "a"', 'resource "google_a_iam_members" "a"', 'module "google"'])
    expect(lines(rows, block(head))).toEqual([])
})

test('the property is the place where a row says so', () => {
  const rows = [{ ...INGRESS[0]!, location: 'property' }]
  const group =
    'resource "aws_security_group" "a" {\n  ingress {\n    cidr_blocks = ["0.0.0.0/0"]\n    from_port = 22\n    to_port = 22\n  }\n}\n'
  expect(lines(INGRESS, group)).toEqual([2])
  expect(lines(rows, group)).toEqual([4])
})

test('the maps of an argument are asked as blocks are', () => {
  const group = (port: number) =>
    `locals {\n  office = [{ from_port = ${port}, to_port = ${port}, cidr_blocks = ["0.0.0.0/0"] }]\n}\nresource "aws_security_group" "a" {\n  ingress = local.office\n}\n`
  expect(lines(INGRESS, group(22))).toEqual([2])
  expect(lines(INGRESS, group(443))).toEqual([])
})

test('each statement of a policy is asked, in a call and in a heredoc', () => {
  const rows = [
    {
      types: ['aws_iam_policy'],
      within: 'policy.Statement',
      property: 'Action',
      is: ['*'],
      and: [{ property: 'Effect', is: ['Allow'] }],
    },
  ]
  const statement = (effect: string) => `{ "Effect": "${effect}", "Action": ["*"] }`
  for (const write of [
    (text: string) => `jsonencode({ Statement = [${text}] })`,
    (text: string) => `<<EOF\n{ "Statement": ${text} }\nEOF\n`,
  ]) {
    const policy = (effect: string) => `resource "aws_iam_policy" "a" {\n  policy = ${write(statement(effect))}\n}\n`
    expect(lines(rows, policy('Allow'))).toHaveLength(1)
    expect(lines(rows, policy('Deny'))).toHaveLength(0)
  }
})

test('a fix replaces a literal, and never a name', () => {
  const rows = [{ types: ['aws_cloudtrail'], property: 'enable_logging', is: [false], fix: 'true' }]
  const own = scan(rows, 'resource "aws_cloudtrail" "a" {\n  enable_logging = false\n}\n')
  expect(own.matches[0]!.edits).toMatchObject([{ text: 'true' }])
  const named = scan(rows, 'locals {\n  a = false\n}\nresource "aws_cloudtrail" "a" {\n  enable_logging = local.a\n}\n')
  expect(named.matches).toHaveLength(1)
  expect(named.matches[0]!.edits).toBeUndefined()
})

test('a file that is cut off is searched as far as it goes, and not called evaluated', () => {
  const own = scan(ENCRYPTED, 'resource "aws_ebs_volume" "a" {\n  encrypted = false\n')
  expect(own.matches).toHaveLength(1)
  expect(own.failures).toMatchObject([{ reason: 'parse_failed' }])
})

test('a row that asks nothing of its property is refused', () => {
  const rule = {
    type: 'resource',
    languages: ['hcl'],
    resources: [{ types: ['a_b'], property: 'c' }],
  } as unknown as ResourceRule & PackedRule
  expect(kind.findFaults(rule)).toMatchObject([{ key: 'resources.0' }])
  expect(kind.findFaults({ ...rule, languages: ['python'] }).map(({ key }) => key)).toContain('languages')
})
