import { expect, test } from 'vitest'
import { renderReport } from '../../../engine/assure/report.ts'
import scanFile from '../../../engine/ops/scan/file.ts'
import snippet from '../../../engine/ops/scan/snippet.ts'
import { perform } from '../../../engine/scan/perform.ts'
import { model, rule } from '../../assure/fixture.ts'
import { surface } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { policy, wordRule } from '../../made/rules.ts'

const scanned = async (root: string) => (await perform({ repo_path: '.' }, surface(root).context)).run

test('what a policy over paths finds in files that it excludes is counted, on the second scan too', async () => {
  const root = project({
    ...policy('no-keys', 'forbidden_file: true', 'a.key', 'a.txt', "files: ['**/*.key']\nexclude_files: ['test/**']"),
    'src/a.txt': 'a\n',
    'test/b.key': 'b\n',
  })
  for (let time = 0; time < 2; time++)
    expect((await scanned(root)).excluded_by_rule).toEqual([
      { rule_id: 'no-keys', findings: 1, files: 1, places: [{ file: 'test/b.key', line: 1 }] },
    ])
})

test('what is found in code that a rule file quotes is counted', async () => {
  const [text] = Object.values(wordRule('grave'))
  const root = project({ ...wordRule('grave'), 'rules/copy.yaml': text! })
  expect((await scanned(root)).excluded_by_rule).toEqual([
    {
      rule_id: 'local-grave',
      findings: 2,
      files: 1,
      places: [8, 9].map(line => ({ file: 'rules/copy.yaml', line })),
    },
  ])
})

const LARGE = `// a comment\n${'x = y + z;\n'.repeat(1000)}`
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`
const FILES = { '.svc/config.yaml': 'scan:\n  max_file_bytes: 2000\n', 'large.js': LARGE, 'a.txt': 'fine\n' }

test('scan_file and check_code_snippet name a file that not all rules searched', async () => {
  const root = project(FILES)
  const { context } = surface(root, { surface: 'mcp' })
  const file = await scanFile.run({ path: 'large.js' }, context)
  expect(file.unsearched).toMatchObject([{ path: 'large.js' }])
  expect(scanFile.text(file, { verbose: false, quiet: false, width: 80, paint: (_, text) => text })).toContain(
    'large.js (larger than the limit',
  )
  const code = await snippet.run({ code: POINTER, filename: 'model.js' }, context)
  expect(code).toMatchObject({ compliant: false, unsearched: [{ path: 'model.js', reason: 'lfs_pointer' }] })
  const small = await snippet.run({ code: 'x = 1\n', filename: 'b.js' }, context)
  expect(small).toMatchObject({ compliant: true, unsearched: [] })
})

test('the reports for people name in a line what was scanned partly and what rules set aside', () => {
  const run = {
    partly: [{ path: 'a.js', reason: 'minified' as const }],
    excluded_by_rule: [{ rule_id: 'js-eval', findings: 3, files: 1, places: [] }],
    dropped_across_files: [
      {
        rule_id: 'js-eval',
        findings: 2,
        files: 1,
        places: [{ file: 'b.js', line: 4, functions: [{ file: 'lib/<safe>.js', name: 'escape' }] }],
      },
    ],
  }
  const report = (format: 'markdown' | 'junit' | 'html' | 'sarif') =>
    [...renderReport(format, model([], [rule('js-eval')], run))].join('')
  for (const format of ['markdown', 'junit'] as const)
    expect(report(format)).toContain(
      '1 file partly scanned (1 minified) · 3 findings excluded by 1 rule · 2 findings dropped, by functions of other files',
    )
  expect(report('html')).toContain('<dt>Files partly scanned</dt><dd>1</dd>')
  expect(report('html')).toContain('<dt>Findings excluded by rules</dt><dd>3</dd>')
  expect(report('html')).toContain('b.js:4 (escape in lib/&lt;safe&gt;.js)')
  expect(report('sarif')).toContain('2 findings of js-eval dropped')
})
