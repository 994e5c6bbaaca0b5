import { expect, test } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { readRule } from '../../../engine/sources/packs/parse.ts'

const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

const ROWS = [
  { types: ['AWS::EC2::Volume'], property: 'Encrypted', is: [false], absent: true },
  {
    types: ['AWS::EC2::SecurityGroup'],
    within: 'SecurityGroupIngress',
    property: 'FromPort',
    covers: [22],
    until: 'ToPort',
    and: [{ property: 'CidrIp', is: ['0.0.0.0/0'] }],
  },
  { types: ['AWS::S3::Bucket'], property: 'PublicAccessBlockConfiguration.BlockPublicAcls', is: [false] },
]

function scan(text: string, path = 'stack.yaml') {
  const own = { id: 'own-rule', type: 'resource', title: 'A rule', message: 'Something is found.', severity: 'high' }
  const more = { languages: ['yaml'], remediation: 'None.', match: ['a'], clean: ['b'], resources: ROWS }
  const rule = readRule({ ...own, ...more }, 'rule', 'own', () => ({ file: 'rule' }))
  const bytes = new TextEncoder().encode(text)
  return scanFile(new RuleSet([rule]), { path, language: 'yaml', in_test: false, bytes }, LIMITS)
}

const lines = (text: string, path?: string) => scan(text, path).matches.map(({ line }) => line)
const volume = (properties: string) => `Resources:\n  A:\n    Type: AWS::EC2::Volume\n    Properties:\n${properties}`

test('an unsafe value is reported at the property, a missing one at the type', () => {
  expect(lines(volume('      Size: 8\n      Encrypted: false\n'))).toEqual([6])
  expect(lines(volume('      Size: 8\n'))).toEqual([3])
  expect(lines('Resources:\n  A:\n    Type: AWS::EC2::Volume\n')).toEqual([3])
})

test('an entry of a list that a condition gives is asked', () => {
  const rule = '{ IpProtocol: tcp, FromPort: 22, ToPort: 22, CidrIp: 0.0.0.0/0 }'
  const web = '{ IpProtocol: tcp, FromPort: 443, ToPort: 443, CidrIp: 0.0.0.0/0 }'
  const group = (given: string) =>
    `Resources:\n  A:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:\n        - ${web}\n        - !If [Open, ${given}, !Ref AWS::NoValue]\n`
  expect(lines(group(rule))).toEqual([7])
  expect(lines(group(web))).toEqual([])
})

test.each([
  ['in flow style', 'Resources: { A: { Type: "AWS::EC2::Volume", Properties: { Encrypted: "false" } } }\n'],
  ['as JSON', '{"Resources":{"A":{"Type":"AWS::EC2::Volume","Properties":{"Encrypted":false}}}}\n'],
  [
    'with quotes and escapes',
    volume(`      'Encrypted': "f\\x61lse"\n`)
      .replace('AWS::EC2', '"AWS\\u003a:EC2')
      .replace('Volume', 'Volu\\\n      me"'),
  ],
  ['under a key with escapes', volume('      Encrypted: false\n').replace('Resources', '"R\\x65sources"')],
  ['behind an anchor', `Base: &base\n  Encrypted: false\n${volume('      <<: *base\n')}`],
  ['as an alias', `Base: &off false\n${volume('      Encrypted: *off\n')}`],
  [
    'as the default of a parameter',
    `Parameters:\n  On: { Type: String, Default: "false" }\n${volume('      Encrypted: !Ref On\n')}`,
  ],
  [
    'by the long form of a function',
    `Parameters:\n  On: { Type: String, Default: "false" }\n${volume('      Encrypted: { Ref: On }\n')}`,
  ],
  ['in a branch of a condition', volume('      Encrypted: !If [Prod, true, false]\n')],
  ['in capitals of YAML 1.1', volume('      Encrypted: No\n')],
  ['with a tag of YAML itself', volume('      Encrypted: !!bool "false"\n')],
  ['with the tag of no type', volume('      Encrypted: ! "false"\n')],
  ['with a tag in full', volume('      Encrypted: !<tag:yaml.org,2002:str> "false"\n')],
  ['in a map with a tag', volume('      Encrypted: false\n').replace('Properties:', 'Properties: !!map')],
  [
    'as a block',
    volume('      Encrypted: >-\n        false\n').replace('AWS::EC2::Volume', '|\n      AWS::EC2::Volume'),
  ],
  ['behind several anchors', `Base: &base\n  Encrypted: false\n${volume('      <<: [*base]\n')}`],
  [
    'in a loop',
    `Resources:\n  Fn::ForEach::Volumes:\n    - Name\n    - [A, B]\n    - Volume\${Name}:\n        Type: AWS::EC2::Volume\n        Properties: { Encrypted: false }\n`,
  ],
  ['in a loop over properties', volume('      Fn::ForEach::All: [Name, [Encrypted], { Encrypted: false }]\n')],
  [
    'under a key with escapes and spaces behind it',
    volume('      Encrypted: false\n').replace('Resources:', `"R\\x65sources"${' '.repeat(300)}:`),
  ],
  [
    'under a key with escapes and a comment behind it',
    volume('      Encrypted: false\n').replace('Resources:', '? "R\\x65sources" # a\n:'),
  ],
  ['as nothing', volume('      Encrypted: !Ref AWS::NoValue\n')],
  [
    'in a template of the Serverless Framework',
    `service: a\nresources:\n  ${volume('      Encrypted: false\n').replace(/\n(?=.)/g, '\n  ')}`,
  ],
  [
    'in one of several templates of the Serverless Framework',
    `resources:\n  - Outputs: {}\n  - ${volume('      Encrypted: false\n').replace(/\n(?=.)/g, '\n    ')}`,
  ],
  ['in a later document', `a: 1\n---\n${volume('      Encrypted: false\n')}`],
])('a value is found %s', (_, text) => {
  const { matches, failures } = scan(text)
  expect([matches.length, failures]).toEqual([1, []])
})

test.each([
  ['a safe value', volume('      Encrypted: true\n')],
  ['another type', volume('      Encrypted: false\n').replace('Volume', 'Volumes')],
  ['a parameter without a default', `Parameters:\n  On: { Type: String }\n${volume('      Encrypted: !Ref On\n')}`],
  ['what a function gives', volume('      Encrypted: !FindInMap [A, B, C]\n')],
  [
    'properties that a function gives',
    'Resources:\n  A:\n    Type: AWS::EC2::Volume\n    Properties: !Transform { Name: A }\n',
  ],
  ['a comment', volume('      # Encrypted: false\n      Encrypted: true\n')],
  ['a file that is no template', 'things:\n  A:\n    Type: AWS::EC2::Volume\n'],
])('%s is not reported', (_, text) => {
  const { matches, failures } = scan(text)
  expect([matches, failures]).toEqual([[], []])
})

test('each map of a list is asked for itself', () => {
  const group = (items: string) =>
    `Resources:\n  A:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:\n${items}`
  const item = (port: string, cidr: string) =>
    `        - IpProtocol: tcp\n          FromPort: ${port}\n          ToPort: ${port}\n          CidrIp: ${cidr}\n`
  expect(lines(group(item('443', '0.0.0.0/0') + item('22', '0.0.0.0/0')))).toEqual([10])
  expect(lines(group(item('443', '0.0.0.0/0') + item('22', '10.0.0.0/8')))).toEqual([])
  expect(lines(group('        - { FromPort: "20", ToPort: "25", CidrIp: 0.0.0.0/0 }\n'))).toEqual([6])
})

test('a property of a property is found', () => {
  const bucket = (value: string) =>
    `Resources:\n  A:\n    Type: AWS::S3::Bucket\n    Properties:\n      PublicAccessBlockConfiguration:\n        BlockPublicAcls: ${value}\n`
  expect(lines(bucket('false'))).toEqual([6])
  expect(lines(bucket('true'))).toEqual([])
})

test('a template in JSON is read where its path says that it is one', () => {
  const text = '{"Resources":{"A":{"Type":"AWS::EC2::Volume","Properties":{"Size":8,\n"Encrypted":false}}}}\n'
  expect(lines(text, 'cfn/stack.json')).toEqual([2])
})

test('a file that is no template is not parsed, however it nests', () => {
  const text = `# AWS::EC2::Volume\nrule: '\\x27'\n${' '.repeat(200)}a: 1\n`
  expect(scan(text).failures).toEqual([])
})

test('a template of more values than are read is not called evaluated', () => {
  const text = volume(`      Tags: [${'a,'.repeat(41_000)}a]\n      Encrypted: false\n`)
  expect(scan(text).failures).toMatchObject([{ reason: 'parse_failed' }])
})

test.each([
  ['a property', volume('      Encrypted: false\n      Encrypted: true\n')],
  ['a resource', `${volume('      Encrypted: false\n')}  A:\n    Type: AWS::SNS::Topic\n`],
  ['the resources', `${volume('      Encrypted: false\n')}Resources:\n  B:\n    Type: AWS::SNS::Topic\n`],
])('a template that has %s twice is not called evaluated', (_, text) => {
  expect(scan(text).failures).toMatchObject([{ reason: 'parse_failed' }])
})

test('a file of half a million escapes is passed once', () => {
  expect(scan(`# AWS::EC2::Volume\na: "${'\\x41'.repeat(500_000)}"\n`).failures).toEqual([])
})

test('a template that nests too deeply is not called evaluated', () => {
  expect(scan(volume(`      A: ${'['.repeat(100)}${']'.repeat(100)}\n      Encrypted: false\n`))).toMatchObject({
    failures: [{ reason: 'parse_failed' }],
  })
})
