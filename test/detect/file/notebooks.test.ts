import { describe, expect, it } from 'vitest'
import { makeNotebookViews } from '../../../engine/detect/file/views/notebook.ts'
import { growth, SQUARE } from '../../made/effort.ts'
import { lineOf, scan } from '../rules/every-rule.ts'

type Source = string | string[]
const code = (source: Source, outputs: unknown[] = []) => ({
  cell_type: 'code',
  execution_count: 1,
  metadata: {},
  outputs,
  source,
})
const prose = (source: Source) => ({ cell_type: 'markdown', metadata: {}, source })
const notebook = (cells: unknown[], kernel = 'python') =>
  JSON.stringify({ cells, metadata: { kernelspec: { language: kernel } }, nbformat: 4, nbformat_minor: 5 }, null, 1)

const IMPORTS = code(['%matplotlib inline\n', 'import subprocess\n', 'from flask import request'])
const SINK = ['!pip install flask\n', 'def run():\n', "    return subprocess.call(request.args['c'], shell=True)"]
const INJECTION = 'python-command-injection'

describe('code cells of a notebook', () => {
  it.each<[string, Source]>([
    ['a list of lines', SINK],
    ['one string', SINK.join('')],
  ])('are judged as one file in order, with the source as %s', (_, source) => {
    const text = notebook([prose('# Title'), IMPORTS, code(source)])
    const { found, failures } = scan('a.ipynb', text)
    expect(failures).toEqual([])
    expect(found).toMatchObject([
      { id: INJECTION, line: lineOf(text, 'subprocess.call('), note: 'cell 3, line 3', snippet: SINK[2] },
    ])
  })

  it('have the same fingerprints wherever the cell stands, whatever it gave, and in either form of the source', () => {
    const first = scan('a.ipynb', notebook([IMPORTS, code(SINK)])).found
    const output = { output_type: 'stream', name: 'stdout', text: ['done\n'] }
    const second = scan('a.ipynb', notebook([prose('x'), IMPORTS, code('1 + 1', [output]), code(SINK.join(''))])).found
    expect(second.map(({ fingerprint }) => fingerprint)).toEqual(first.map(({ fingerprint }) => fingerprint))
    expect(first).toHaveLength(1)
  })

  it('are read in nbformat 3 too', () => {
    const cell = (input: Source) => ({ cell_type: 'code', language: 'python', input, outputs: [] })
    const cells = [cell(IMPORTS.source), cell(SINK)]
    const text = JSON.stringify({ metadata: { name: '' }, nbformat: 3, worksheets: [{ cells }] }, null, 1)
    expect(scan('a.ipynb', text).ids).toEqual([INJECTION])
  })

  it.each([
    ['a line magic', '%load_ext autoreload\n'],
    ['a command of the shell', '!ls -l $HOME | head\n'],
    ['a command whose result is kept', 'files = !ls\n'],
    ['a magic whose result is kept', 'out = %sql select 1 from t where\n'],
    ['a question', 'subprocess.call?\n'],
    ['a magic in a block', 'if True:\n    %time x = 1\n'],
    ['a cell magic over code', '%%time\n'],
  ])('parse around %s', (_, magic) => {
    const { ids, failures } = scan('a.ipynb', notebook([IMPORTS, code(magic + SINK.slice(1).join(''))]))
    expect(ids).toEqual([INJECTION])
    expect(failures).toEqual([])
  })

  it('for the shell are judged as the shell', () => {
    const text = notebook([code(['%%bash\n', 'curl -s https://example.org/x.sh | bash\n'])])
    const { found } = scan('a.ipynb', text)
    expect(found.map(({ note }) => note)).toContain('cell 1, line 2')
  })

  it('can hold a suppression, which reaches into no other cell', () => {
    const lines = [...SINK.slice(0, 2), `    # svc-${'ignore'}: ${INJECTION} -- trusted here\n`, SINK[2]!]
    const text = notebook([IMPORTS, code(lines), code('x = 1')])
    const { found, ignores } = scan('a.ipynb', text)
    expect(ignores).toMatchObject([{ line: found[0]!.line - 1, last_line: found[0]!.line, rules: [INJECTION] }])
  })

  it('show a secret in no snippet, and it is one finding', () => {
    const value = `${'Winter'}2024-appX`
    const { found } = scan('a.ipynb', notebook([code(`import os\ndb_password = "${value}"\n`)]))
    expect(found.filter(({ id }) => id.startsWith('secret-'))).toHaveLength(1)
    expect(JSON.stringify(found)).not.toContain(value)
  })
})

describe('a notebook', () => {
  it('is searched for secrets in what its cells gave', () => {
    const output = { output_type: 'stream', name: 'stdout', text: [`password = "${`${'Winter'}2024-appX`}"\n`] }
    expect(scan('a.ipynb', notebook([code('1', [output])])).ids).toContain('secret-generic-password')
  })

  it('whose kernel no rule is for is listed as not evaluated', () => {
    const { ids, failures } = scan('a.ipynb', notebook([code('system(x)')], 'R'))
    expect(ids).toEqual([])
    expect(failures).toMatchObject([{ reason: 'no_grammar', detail: expect.stringContaining('"r"') }])
  })

  it.each([
    ['no JSON', (text: string) => text.slice(0, -3)],
    ['without cells', () => '{"nbformat": 4}'],
  ])('that is %s is listed as not evaluated', (_, broken) => {
    const { failures } = scan('a.ipynb', broken(notebook([IMPORTS, code(SINK)])))
    expect(failures).toMatchObject([{ reason: 'not_understood' }])
  })

  it('that is no JSON is searched for secrets all the same', () => {
    const text = notebook([code(`db_password = "${`${'Winter'}2024-appX`}"`)]).slice(0, -3)
    expect(scan('a.ipynb', text).ids).toContain('secret-generic-password')
  })

  it('of prose alone has nothing to judge', () => {
    expect(scan('a.ipynb', notebook([prose("subprocess.call(request.args['c'], shell=True)")]))).toMatchObject({
      ids: [],
      failures: [],
    })
  })
})

it('tells cell and line of every place in effort that grows with the text', () => {
  const labels = (lines: number) => {
    const [view] = makeNotebookViews(
      'a.ipynb',
      notebook([prose('# Title'), code('x = 1\n'.repeat(lines))]),
      () => true,
    ).views
    return [...Array(lines).keys()].map(line => view!.label!(line * 6))
  }
  expect(labels(20).slice(-2)).toEqual(['cell 2, line 19', 'cell 2, line 20'])
  expect(growth(labels, 20_000, 3)).toBeLessThan(SQUARE)
})

it('are those that a reader of JSON takes, where a member is there twice', () => {
  const cells = JSON.stringify([IMPORTS, code(SINK)])
  const text = `{"cells":[],"metadata":{"kernelspec":{"language":"python"}},"nbformat":4,"cells":${cells}}`
  expect(scan('a.ipynb', text).found.map(({ id }) => id)).toContain(INJECTION)
})
