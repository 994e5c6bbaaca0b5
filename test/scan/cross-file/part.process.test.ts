import { expect, test } from 'vitest'
import { perform } from '../../../engine/scan/perform.ts'
import { readSealed, writeSealed } from '../../../engine/scan/sealed-store.ts'
import { openSeal } from '../../../engine/sources/state/cache-seal.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'

const ENV = { SVC_CACHE_KEY: 'k'.repeat(32) }
const SAFE = 'import shlex\ndef plain(text):\n    return shlex.quote(text)\n'
const PASSING = 'def plain(text):\n    return text.strip()\n'
const VIEWS = `import os
from flask import request
from app.texts import plain
def show():
    os.system('tool ' + plain(request.args['q']))
`

/** A repository whose change adds the view, staged and not committed. */
function changed(texts: string, views = VIEWS): string {
  const root = project({ 'app/texts.py': texts })
  write(root, { 'app/views.py': views })
  git(root, 'add', '.')
  return root
}

async function scan(root: string, input: object) {
  const { run, findings } = await perform({ repo_path: '.', ...input }, surface(root, { env: ENV }).context)
  const flows = findings.filter(({ flow }) => flow !== undefined)
  return {
    found: flows.map(({ file, line, confidence }) => `${file}:${line} ${confidence}`),
    dropped: run.dropped_across_files!.map(({ findings, places }) => [findings, places[0]!.functions]),
    notice: run.notices.find(({ kind }) => kind === 'other_files_not_followed')?.detail,
  }
}

const DROPPED = [[1, [{ file: 'app/texts.py', name: 'plain' }]]]

test('a finding of a change that a function of another file disproves is dropped and counted: staged, in a range and against a branch', async () => {
  const root = changed(SAFE)
  // The index is judged: what stands on disk is not part of the commit.
  write(root, { 'app/texts.py': PASSING })
  const staged = await scan(root, { staged: true })
  expect(staged).toMatchObject({ found: [], dropped: DROPPED })
  expect(staged.notice).toContain('except to ask functions of 1 other file about findings')
  git(root, 'checkout', '-q', '--', 'app/texts.py')
  git(root, 'branch', 'base')
  expect(await scan(root, { branch: 'base' })).toMatchObject({ found: [], dropped: DROPPED })
  git(root, 'commit', '-qm', 'change')
  write(root, { 'app/texts.py': PASSING })
  expect(await scan(root, { git_range: 'HEAD~1..HEAD' })).toMatchObject({ found: [], dropped: DROPPED })
})

test('a finding of a change is sure where the function is seen to pass its input on, and stands where it cannot be seen', async () => {
  expect(await scan(changed(PASSING), { staged: true })).toMatchObject({ found: ['app/views.py:5 0.95'], dropped: [] })
  const declared = changed('def plain(text):\n    raise NotImplementedError()\n')
  expect(await scan(declared, { staged: true })).toMatchObject({ found: ['app/views.py:5 0.8'], dropped: [] })
  // A function that reads a request itself gives input, whatever it does with what it is given.
  const giving = changed('from flask import request\ndef plain(text):\n    return request.args["n"]\n')
  expect((await scan(giving, { staged: true })).dropped).toEqual([])
})

test('more files than a hook may wait for are not looked into, and the run says so', async () => {
  const names = Array.from({ length: 90 }, (_, at) => `plain${at}`)
  const files = names.map(name => [`app/${name}.py`, SAFE.replace('plain', name)])
  const imports = names.map(name => `from app.${name} import ${name}\n`).join('')
  const views = `import os\nfrom flask import request\n${imports}def show():\n${names.map(name => `    os.system('tool ' + ${name}(request.args['q']))\n`).join('')}`
  const root = changed(SAFE, views)
  write(root, Object.fromEntries(files))
  git(root, 'add', '.')
  const { found, notice } = await scan(root, { staged: true })
  expect(found.length).toBeGreaterThan(0)
  expect(notice).toContain('where the limit was reached')
})

test('what a scan of the whole repository has kept is used for files of the same content, if it is sealed', async () => {
  const root = changed(SAFE)
  await perform({ repo_path: '.' }, surface(root, { env: ENV }).context)
  const store = { root, file: 'cross-file.cache', purpose: 'cross-file' }
  const seal = openSeal(ENV)!
  const kept = readSealed(store, undefined, seal) as { files: Record<string, { entries: Record<string, unknown> }> }
  const entries = kept.files['app/texts.py']!.entries
  expect(Object.keys(entries)).toHaveLength(1)
  // As if the function could not be seen.
  for (const key of Object.keys(entries))
    entries[key] = { own: { matches: [], excluded: [], passed: [], exhausted: [] } }
  writeSealed(store, 'test', seal, kept)
  expect((await scan(root, { staged: true })).found).toEqual(['app/views.py:5 0.8'])
  write(root, { 'app/texts.py': `${SAFE}\n` })
  git(root, 'add', '.')
  expect((await scan(root, { staged: true })).found).toEqual([])
  git(root, 'reset', '-q', '--hard', 'HEAD')
  write(root, { 'app/views.py': VIEWS })
  git(root, 'add', '.')
  writeSealed(store, 'test', openSeal({ SVC_CACHE_KEY: 'other'.repeat(8) })!, kept)
  expect((await scan(root, { staged: true })).found).toEqual([])
})
