import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../../../engine/scan/perform.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { commit, git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { merged, shards } from '../shard-project.ts'

/**
 * Programs of several files. In `returns.txt`:
 *
 *     === path of a file
 *     a line   «89»        a taint rule of CWE-89 reports this line, sure of the whole way; with `?`, not sure of it; on all other lines none reports
 */
const PROGRAMS = readFileSync(join(import.meta.dirname, 'returns.txt'), 'utf8')
const MARK = /\s*«(\d+)(\??)»/u

/** The files of the programs, without marks, and the places that are marked. */
function readPrograms(): { files: Record<string, string>; marked: string[] } {
  const files: Record<string, string> = {}
  const marked: string[] = []
  for (const part of PROGRAMS.split(/^=== /m).slice(1)) {
    const [path = '', ...lines] = part.split('\n')
    lines.forEach((line, at) => {
      const mark = MARK.exec(line)
      if (mark) marked.push(`${path}:${at + 1} CWE-${mark[1]}${mark[2]}`)
    })
    files[path] = lines.map(line => line.replace(MARK, '')).join('\n')
  }
  return { files, marked }
}

const ENV = { SVC_CACHE_KEY: 'k'.repeat(32) }

/** What data flow finds, as a scan of the whole repository has it. */
async function scan(root: string, input: object = {}) {
  const { findings } = await perform({ repo_path: '.', ...input }, surface(root, { env: ENV }).context)
  return findings.filter(({ flow }) => flow !== undefined)
}

const { files, marked } = readPrograms()

test('what functions of other files return is known, in nine languages, warm as cold, of a change as of the whole and in shards as in one scan', async () => {
  const root = project({ 'README.md': 'x' })
  write(root, files)
  git(root, 'add', '.')
  const dropped = async (input: object) =>
    (await perform({ repo_path: '.', ...input }, surface(root, { env: ENV }).context)).run.dropped_across_files
  const ofChange = await dropped({ staged: true })
  commit(root)
  const cold = await scan(root)
  const found = cold.map(({ file, line, cwe, confidence }) => `${file}:${line} ${cwe[0]}${confidence < 0.9 ? '?' : ''}`)
  expect([...new Set(found)].sort()).toEqual(marked.sort())
  expect(await scan(root)).toEqual(cold)
  expect(ofChange!.length).toBeGreaterThan(1)
  expect(ofChange).toEqual(await dropped({}))
  const ids = (findings: readonly { fingerprint: string; confidence: number }[]) =>
    findings.map(({ fingerprint, confidence }) => `${fingerprint} ${confidence}`).sort()
  const { findings } = await merged(root, await shards(root, 2))
  expect(ids(findings.filter(({ flow }) => flow !== undefined))).toEqual(ids(cold))
})

const VIEWS = `import os
from flask import request
from app.texts import plain, name
def show():
    os.system('tool ' + plain(request.args['q']))
    os.system('tool ' + name())
`

test('what is returned is known anew when the other file changes, though the calling file is as it was', async () => {
  const texts = (given: string) => `import shlex
from flask import request
def plain(text):
    return ${given}
def name():
    return ${given.replace('text', 'request.args["n"]')}
`
  const root = project({ 'app/views.py': VIEWS, 'app/texts.py': texts('text.strip()') })
  const lines = async () => (await scan(root)).map(({ line, confidence }) => `${line} ${confidence}`)
  expect(await lines()).toEqual(['5 0.95', '6 0.95'])
  write(root, { 'app/texts.py': texts('shlex.quote(text)') })
  expect(await lines()).toEqual([])
  write(root, { 'app/texts.py': texts('text.strip()') })
  expect(await lines()).toEqual(['5 0.95', '6 0.95'])
})

test('what functions of other files disprove is counted with their names, and no event tells of it', async () => {
  const root = project({
    'app/views.py': `${VIEWS}    os.system('tool ' + plain(request.args['r']))\n`,
    'app/texts.py':
      'import shlex\nfrom flask import request\ndef plain(text):\n    return shlex.quote(text)\ndef name():\n    return request.args["n"]\n',
    'app/other.py': "import os\nfrom flask import request\ndef run():\n    os.system(request.args['q'])\n",
  })
  const { context, events } = surface(root, { env: ENV })
  const { run, findings } = await perform({ repo_path: '.' }, context)
  const [dropped, ...others] = run.dropped_across_files!
  expect(others).toEqual([])
  expect(dropped).toEqual({
    rule_id: 'command-injection',
    findings: 2,
    files: 1,
    places: [5, 7].map(line => ({ file: 'app/views.py', line, functions: [{ file: 'app/texts.py', name: 'plain' }] })),
  })
  const told = events.flatMap(event => (event.type === 'finding' ? (event.finding as (typeof findings)[number]) : []))
  const describe = ({ fingerprint, confidence }: { fingerprint: string; confidence: number }) =>
    `${fingerprint} ${confidence}`
  expect(told.map(describe).sort()).toEqual(findings.map(describe).sort())
  const counts = events.flatMap(event => (event.type === 'progress' ? event.progress.findings : []))
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
})

test('a flow begins where the input is read, in the other file', async () => {
  const root = project({
    'app/views.py': VIEWS,
    'app/texts.py': 'from flask import request\ndef name():\n    given = request.args["n"]\n    return given\n',
  })
  const [found] = (await scan(root)).filter(({ line }) => line === 6)
  expect(found!.flow![0]).toMatchObject({ file: 'app/texts.py', line: 3, label: 'HTTP request data' })
  expect(new Set(found!.flow!.map(({ file, line }) => `${file}:${line}`))).toEqual(
    new Set(['app/texts.py:3', 'app/views.py:6']),
  )
})

test('a value that comes back from one file is followed on into the next', async () => {
  const root = project({
    'app/views.py':
      'from flask import request\nfrom app.texts import plain\nfrom app.store import find\ndef show():\n    return find(plain(request.args["q"]))\n',
    'app/texts.py': 'def plain(text):\n    return text.strip()\n',
    'app/store.py':
      'import sqlite3\ndb = sqlite3.connect("x")\ndef find(q):\n    return db.execute("select * from u where n=\'%s\'" % q)\n',
  })
  expect(await scan(root)).toMatchObject([{ file: 'app/store.py', line: 4, rule_id: 'sql-injection' }])
})

test('nothing is taken for granted of a function that is only declared, that two files may have, or that hands its input to code unseen', async () => {
  const call = (callee: string) =>
    `import os\nfrom flask import request\nfrom app.texts import ${callee}\ndef show():\n    os.system('tool ' + ${callee}(request.args['q']))\n`
  const root = project({
    'app/a.py': call('declared'),
    'app/b.py': call('handed'),
    'app/c.py': call('twice'),
    'app/texts.py':
      'import other\ndef declared(text):\n    raise NotImplementedError()\ndef handed(text):\n    return other.clean(text)\ndef twice(text):\n    return 1\ndef twice(text, more=2):\n    return text\n',
  })
  const found = (await scan(root)).map(({ file, confidence }) => `${file} ${confidence}`)
  expect(found.sort()).toEqual(['app/a.py 0.8', 'app/b.py 0.8', 'app/c.py 0.8'])
})
