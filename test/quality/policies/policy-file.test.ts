import { describe, expect, test } from 'vitest'
import { parsePolicies } from '../../../engine/quality/policies/policy-file.ts'
import { refusal } from '../../made/call.ts'

/** The places and messages of the faults of a file of policies. */
async function faultsOf(text: string): Promise<[string, string][]> {
  const error = await refusal(() => parsePolicies(Buffer.from(text), 'policies.yaml'))
  expect(error.code).toBe('CONFIG_INVALID')
  const faults = error.faults.length > 0 ? error.faults : [{ message: error.message, place: error.place }]
  return faults.map(({ message, place }) => [`${place?.file}:${place?.line}:${place?.column}`, message])
}

describe('a file of policies that is not valid names the place and what was meant', () => {
  test.each([
    [
      'an unknown key',
      'policies:\n  - name: a\n    requird_files: [b]\n',
      'policies.yaml:3:5',
      /did you mean required_files\?/,
    ],
    [
      'an unknown key of a check',
      'policies:\n  - name: a\n    content:\n      files: [b]\n      must_contian: [c]\n',
      'policies.yaml:5:7',
      /of content; did you mean must_contain\?/,
    ],
    ['an unknown key of the file', 'polices: []\n', 'policies.yaml:1:1', /did you mean policies\?/],
    [
      'a glob that cannot be',
      'policies:\n  - name: a\n    forbidden_files: ["**/*.pem", "/etc/*"]\n',
      'policies.yaml:3:35',
      /"\/etc\/\*" must be relative.*write etc/,
    ],
    [
      'a severity',
      'policies:\n  - name: a\n    severity: hihg\n    required_files: [b]\n',
      'policies.yaml:3:15',
      /did you mean high\?/,
    ],
    [
      'an expression',
      'policies:\n  - name: a\n    content: { files: [b], must_contain: ["(a"] }\n',
      'policies.yaml:3:43',
      /"\(a" cannot be compiled: Unterminated group/,
    ],
    ['no check', 'policies:\n  - name: a\n', 'policies.yaml:2:5', /has no check/],
    [
      'two checks',
      'policies:\n  - name: a\n    required_files: [b]\n    forbidden_files: [c]\n',
      'policies.yaml:4:5',
      /2 checks/,
    ],
    [
      'a name that is used twice',
      'policies:\n  - { name: a, required_files: [b] }\n  - { name: a, required_files: [c] }\n',
      'policies.yaml:3:13',
      /twice, first in line 2/,
    ],
  ])('%s', async (_, text, place, message) => {
    const [[at, said]] = (await faultsOf(text)) as [[string, string]]
    expect(at).toBe(place)
    expect(said).toMatch(message)
  })

  test('of an expression of CEL, line and column within it, however YAML writes it', async () => {
    const plain = 'policies:\n  - name: a\n    cel: { for: file, check: file.lnes < 400 }\n'
    expect(await faultsOf(plain)).toEqual([
      ['policies.yaml:3:34', expect.stringMatching(/lnes is not a known field of file; did you mean lines\?/)],
    ])
    const quoted = "policies:\n  - name: a\n    cel:\n      check: 'git.branch == 3'\n"
    expect(await faultsOf(quoted)).toEqual([
      ['policies.yaml:4:26', expect.stringMatching(/string and int are never equal/)],
    ])
    const block =
      'policies:\n  - name: a\n    cel:\n      for: file\n      check: |\n        file.in_test ||\n          file.size < "a"\n'
    expect(await faultsOf(block)).toEqual([
      ['policies.yaml:7:21', expect.stringMatching(/`<` does not work on int and string/)],
    ])
  })

  test('every fault is listed', async () => {
    const text = 'policies:\n  - name: a\n    required_files: ["/a"]\n  - name: b\n    forbidden_files: ["b/"]\n'
    expect((await faultsOf(text)).map(([place]) => place)).toEqual(['policies.yaml:3:22', 'policies.yaml:5:23'])
  })
})
