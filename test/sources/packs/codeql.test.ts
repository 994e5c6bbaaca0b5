import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Checked, checkPack } from '../../../engine/sources/packs/import/check.ts'
import type { LeftOut } from '../../../engine/sources/packs/import/draft.ts'
import { makeDraft } from '../../../engine/sources/packs/import/import.ts'
import { parseSource } from '../../../engine/sources/packs/import/source.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'

const rows = (pack: string, extensible: string, data: unknown[][]) =>
  `  - addsTo: { pack: codeql/${pack}-all, extensible: ${extensible} }\n    data:\n${data.map(row => `      - ${JSON.stringify(row)}\n`).join('')}`
const typed = (type: string, name: string, ...rest: unknown[]) => [
  'org.acme',
  type,
  true,
  name,
  '',
  '',
  ...rest,
  'manual',
]

const MODELS = `extensions:\n${[
  rows('java', 'sinkModel', [
    typed('Db', 'run', 'Argument[1]', 'sql-injection'),
    typed('Job', 'Job', 'Argument[0]', 'command-injection'),
    typed('Note', 'add', 'Argument[this]', 'log-injection'),
    typed('Note', 'get', 'Argument[0].Field[org.acme.Key.name]', 'log-injection'),
    typed('Note', 'put', 'Argument[0]', 'intent-redirection'),
  ]),
  rows('java', 'sourceModel', [
    typed('Form', 'field', 'ReturnValue', 'remote'),
    typed('Form', 'fill', 'Argument[0]', 'remote'),
  ]),
  rows('java', 'summaryModel', [
    typed('Text', 'wrap', 'Argument[0].Element', 'ReturnValue', 'taint'),
    typed('Text', 'Text', 'Argument[0]', 'Argument[this]', 'taint'),
    typed('Text', 'add', 'Argument[0..1]', 'Argument[this]', 'taint'),
    typed('Text', 'build', 'Argument[this]', 'ReturnValue', 'taint'),
    typed('Text', 'copy', 'Argument[0]', 'Argument[1].ArrayElement', 'taint'),
    typed('User', 'rename', 'Argument[0]', 'Argument[this].Field[org.acme.User.name]', 'value'),
    typed('User', 'getName', 'Argument[this].Field[org.acme.User.name]', 'ReturnValue', 'value'),
    typed('User', 'keep', 'Argument[0]', 'Argument[this].SyntheticField[org.acme.User.any]', 'value'),
    typed('User', 'each', 'Argument[this]', 'Argument[0].Parameter[0]', 'value'),
  ]),
  rows('go', 'summaryModel', [
    ['example.org/text', '', false, 'Fill', '', '', 'Argument[1]', 'Argument[0]', 'taint', 'manual'],
    ['example.org/text', 'Text', true, 'Add', '', '', 'Argument[0]', 'Argument[receiver]', 'taint', 'manual'],
  ]),
  rows('csharp', 'summaryModel', [
    ['Acme', 'Text', false, 'CopyTo', '', '', 'Argument[this]', 'Argument[0].Element', 'taint', 'manual'],
    [
      'Acme',
      'User',
      false,
      'Rename',
      '',
      '',
      'Argument[0]',
      'Argument[this].Property[Acme.User.Name]',
      'value',
      'manual',
    ],
  ]),
  rows('javascript', 'summaryModel', [
    ['acme', 'Member[fill]', 'Argument[1]', 'Argument[0]', 'taint'],
    ['acme', 'Member[Text].Instance.Member[add]', 'Argument[0]', 'Argument[this]', 'taint'],
  ]),
  rows('java', 'neutralModel', [['org.acme', 'Ids', 'lookUp', '()', 'summary', 'manual']]),
  rows('python', 'sinkModel', [
    ['acme.db', 'Member[run].Argument[0,query:]', 'sql-injection'],
    ['acme.db', 'Member[each].Argument[0].Parameter[0]', 'sql-injection'],
  ]),
  rows('python', 'summaryModel', [
    ['acme.text', 'Member[fill]', 'Argument[0]', 'Argument[1]', 'taint'],
    ['acme.text', 'Member[Text].ReturnValue.Member[add]', 'Argument[0]', 'Argument[self]', 'taint'],
    ['acme.text', 'Member[Text].ReturnValue.Member[get]', 'Argument[self].Attribute[name]', 'ReturnValue', 'taint'],
  ]),
  rows('python', 'barrierModel', [['acme.web', 'Member[quote].ReturnValue', 'command-injection']]),
  rows('python', 'barrierGuardModel', [['acme.web', 'Member[is_known].Argument[0]', 'true', 'command-injection']]),
  rows('python', 'typeModel', [['a', 'b', 'c']]),
  rows('swift', 'sinkModel', [typed('Db', 'run', 'Argument[0]', 'sql-injection')]),
].join('')}`

describe("CodeQL's models as data", () => {
  let libraries: Checked['libraries']
  let left_out: LeftOut[]
  beforeAll(async () => {
    const draft = makeDraft(parseSource(MODELS, 'acme.model.yml'), { id: 'acme' })
    libraries = (await checkPack(draft, loadBuiltinPacks())).libraries
    left_out = draft.left_out
  })

  test('are libraries by language, whose entries hold', () => {
    const [java, go, csharp, javascript, python] = libraries.map(({ library }) => library)
    expect(java).toMatchObject({
      languages: ['java'],
      sinks: [
        { kind: 'sql', calls: ['org.acme.Db.run'], arguments: [1] },
        { kind: 'shell', calls: ['new org.acme.Job'], arguments: [0] },
        { kind: 'log', calls: ['org.acme.Note.add'], arguments: ['receiver'] },
      ],
      sources: [{ kind: 'request', calls: ['org.acme.Form.field'] }],
      propagators: [
        { calls: ['org.acme.Text.wrap'], from: ['argument 0'], to: ['result'] },
        { calls: ['new org.acme.Text'], from: ['argument 0'], to: ['result'] },
        { calls: ['org.acme.Text.add'], from: ['argument 0', 'argument 1'], to: ['receiver'] },
        { calls: ['org.acme.Text.build'], from: ['receiver'], to: ['result'] },
        { calls: ['org.acme.Text.copy'], from: ['argument 0'], to: ['argument 1'] },
        { calls: ['org.acme.User.rename'], from: ['argument 0'], to: ['receiver.name'] },
        { calls: ['org.acme.User.getName'], from: ['receiver.name'], to: ['result'] },
      ],
      non_propagators: ['org.acme.Ids.lookUp'],
    })
    expect(go!.propagators).toEqual([
      { calls: ['example.org/text.Fill'], from: ['argument 1'], to: ['argument 0'] },
      { calls: ['example.org/text.Text.Add'], from: ['argument 0'], to: ['receiver'] },
    ])
    expect(csharp!.propagators).toEqual([
      { calls: ['Acme.Text.CopyTo'], from: ['receiver'], to: ['argument 0'] },
      { calls: ['Acme.User.Rename'], from: ['argument 0'], to: ['receiver.Name'] },
    ])
    expect(javascript!.propagators).toEqual([
      { calls: ['acme.fill'], from: ['argument 1'], to: ['argument 0'] },
      { calls: ['acme.Text.add'], from: ['argument 0'], to: ['receiver'] },
    ])
    expect(python).toMatchObject({
      sinks: [{ kind: 'sql', calls: ['acme.db.run'], arguments: [0, 'query'] }],
      propagators: [
        { calls: ['acme.text.fill'], from: ['argument 0'], to: ['argument 1'] },
        { calls: ['acme.text.Text.add'], from: ['argument 0'], to: ['receiver'] },
        { calls: ['acme.text.Text.get'], from: ['receiver.name'], to: ['result'] },
      ],
      sanitizers: [{ calls: ['acme.web.quote'], for: ['shell'] }],
      validators: [{ calls: ['acme.web.is_known'], argument: 0, for: ['shell'], safe_when: true }],
    })
    expect(libraries).toHaveLength(5)
  })

  test('that do not translate are left out, each with its place and the reason', () => {
    expect(left_out.map(({ reason }) => reason)).toEqual([
      'a sink that is no argument and no receiver has no equivalent',
      'sinks of the kind intent-redirection are reported by no rule',
      'a source that is no return value has no equivalent',
      'the access path Argument[this].SyntheticField[org.acme.User.any] has no equivalent',
      'the access path Argument[0].Parameter[0] has no equivalent',
      'the access path Argument[0].Parameter[0] has no equivalent',
      'typeModel has no equivalent',
      'models of codeql/swift-all are not imported',
    ])
    expect(left_out[0]!.place).toMatchObject({ file: 'acme.model.yml', line: 7 })
  })
})

test('a sink is reported in files that name none of the sinks that svc knows', async () => {
  const row = ['example.org/run', '', false, 'Start', '', '', 'Argument[0]', 'command-injection', 'manual']
  const draft = makeDraft(parseSource(`extensions:\n${rows('go', 'sinkModel', [row])}`, 'a.yml'), { id: 'acme' })
  expect((await checkPack(draft, loadBuiltinPacks())).libraries).toHaveLength(1)
  expect(draft.left_out).toEqual([])
})

test('a row whose example does not hold is left out, and the others stay', async () => {
  const data = rows('java', 'sinkModel', [
    typed('Db', 'run', 'Argument[0]', 'sql-injection'),
    typed('Db', '1 2', 'Argument[0]', 'sql-injection'),
  ])
  const draft = makeDraft(parseSource(`extensions:\n${data}`, 'a.yml'), { id: 'acme' })
  const { libraries } = await checkPack(draft, loadBuiltinPacks())
  expect((parse(JSON.stringify(libraries[0]!.data)) as { sinks: object[] }).sinks).toMatchObject([
    { calls: ['org.acme.Db.run'] },
  ])
  expect(draft.left_out.map(({ reason }) => reason)).toEqual(['an example that was made of it does not hold'])
})
