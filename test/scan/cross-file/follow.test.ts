import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { detectLanguage } from '../../../engine/base/languages/languages.ts'
import { followAcrossFiles } from '../../../engine/scan/cross-file/follow.ts'
import { CrossFileMemory } from '../../../engine/scan/cross-file/memory.ts'
import { computeGitName } from '../../../engine/sources/repository/git.ts'
import { openSeal } from '../../../engine/sources/state/cache-seal.ts'
import { folder, write } from '../../made/folder.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

/**
 * Programs of several files, all in one directory. In `programs.txt`:
 *
 *     === path of a file
 *     a line   «89»        input from another file reaches a sink of CWE-89 here; on all other lines none does
 */
const PROGRAMS = readFileSync(join(import.meta.dirname, 'programs.txt'), 'utf8')
const MARK = /\s*«(\d+)»/u

const packs = await loadShippedPacks()
const rules = packs.flatMap(pack => pack.rules).filter(({ type, canary }) => type === 'taint' && canary !== true)
const limits = { rule_deadline_ms: 10_000, file_deadline_ms: 10_000, max_parse_bytes: 1 << 20 }

/** The files of the programs, without marks, and the places that are marked. */
function readPrograms(): { files: Record<string, string>; marked: string[] } {
  const files: Record<string, string> = {}
  const marked: string[] = []
  for (const part of PROGRAMS.split(/^=== /m).slice(1)) {
    const [path = '', ...lines] = part.split('\n')
    lines.forEach((line, at) => {
      const mark = MARK.exec(line)
      if (mark) marked.push(`${path}:${at + 1} CWE-${mark[1]}`)
    })
    files[path] = lines.map(line => line.replace(MARK, '')).join('\n')
  }
  return { files, marked }
}

/** Follows what flows between the files below a folder; `oids` are git's names of their contents. */
function follow(
  root: string,
  paths: readonly string[],
  memory?: CrossFileMemory,
  oids: Record<string, string> = {},
  sizes: Record<string, number> = {},
) {
  return followAcrossFiles({
    root,
    files: [...paths].sort().map(path => ({
      path,
      size: sizes[path] ?? statSync(join(root, path)).size,
      language: detectLanguage(path)!,
      in_test: path.startsWith('test/'),
      ...(oids[path] !== undefined && { oid: oids[path] }),
    })),
    rules,
    limits,
    controls: new Map(),
    applies: () => true,
    ...(memory && { memory }),
    signal: new AbortController().signal,
  })
}

const { files, marked } = readPrograms()

test('input is followed through calls of functions in other files, in nine languages, and nothing else is reported', async () => {
  const { findings, notices } = await follow(folder(files), Object.keys(files))
  const found = findings.map(({ file, line, cwe }) => `${file}:${line} ${cwe[0]}`)
  expect(found.sort()).toEqual(marked.sort())
  expect(marked.length).toBeGreaterThan(16)
  expect(notices).toEqual([])
})

test('a flow names each file that it comes through, from the source to the sink', async () => {
  const { findings } = await follow(folder(files), Object.keys(files))
  const [found] = findings.filter(({ file }) => file.endsWith('UserDao.java'))
  expect([...new Set(found!.flow!.map(step => step.file.split('/').at(-1)))]).toEqual([
    'UserController.java',
    'UserServiceImpl.java',
    'UserDao.java',
  ])
  expect(found!.flow![0]).toMatchObject({ line: 8, label: 'HTTP request data' })
  expect(found!.flow!.at(-1)).toMatchObject({ file: found!.file, line: found!.line })
})

test('a rule that is off for a path reports nothing there', async () => {
  const root = folder(files)
  const paths = Object.keys(files).filter(path => path.startsWith('py/'))
  const all = await follow(root, paths)
  expect(all.findings.length).toBeGreaterThan(0)
  const none = await followAcrossFiles({
    root,
    files: paths.map(path => ({ path, size: 1, language: 'python', in_test: false })),
    rules,
    limits,
    controls: new Map(),
    applies: () => false,
    signal: new AbortController().signal,
  })
  expect(none.findings).toEqual([])
})

const CALLER =
  'from flask import request\nfrom store import find\ndef show():\n    return str(find(request.args["q"]))\n'
const CALLED = 'import sqlite3\ndb = sqlite3.connect("x")\ndef find(q):\n    return db.execute("select " + q)\n'
/** git's names of files with these contents. */
const nameAll = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, computeGitName(Buffer.from(text), '0'.repeat(40))]),
  )
const SAFE = CALLED.replace('"select " + q', '"select ?", (q,)')

test('files that git names the same are not analyzed again, and one that has changed is', async () => {
  const root = folder({ 'views.py': CALLER, 'store.py': CALLED })
  const paths = ['views.py', 'store.py']
  const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })
  const memory = () => CrossFileMemory.open(root, rules, paths, seal)
  const first = memory()
  const oids = nameAll({ 'views.py': CALLER, 'store.py': CALLED })
  const cold = await follow(root, paths, first, oids)
  first.save()
  expect(cold.findings.map(({ line }) => line)).toEqual([4])
  // What was kept is taken by the names of contents alone.
  write(root, { 'views.py': 'x = 1\n', 'store.py': SAFE })
  const warm = await follow(root, paths, memory(), oids)
  expect(warm).toEqual(cold)
  const changed = await follow(root, paths, memory(), { ...oids, ...nameAll({ 'store.py': SAFE }) })
  expect(changed.findings).toEqual([])
})

test('a function that an included file gains is followed, though the file that calls it is as it was', async () => {
  const page = "<?php\nrequire 'lib.php';\nrun_tool($_GET['q']);\n"
  const root = folder({ 'page.php': page, 'lib.php': '<?php\n' })
  const paths = ['page.php', 'lib.php']
  const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })
  const scan = async (lib: string) => {
    write(root, { 'lib.php': lib })
    const memory = CrossFileMemory.open(root, rules, paths, seal)
    const { findings } = await follow(root, paths, memory, nameAll({ 'page.php': page, 'lib.php': lib }))
    memory.save()
    return findings.map(({ file, line }) => `${file}:${line}`)
  }
  const lib = '<?php\nfunction run_tool($tool) { return shell_exec("tool " . $tool); }\n'
  expect(await scan('<?php\n')).toEqual([])
  expect(await scan(lib)).toEqual(['lib.php:2'])
  expect(await scan(lib)).toEqual(['lib.php:2'])
  expect(await scan(lib.replace('run_tool', 'run_other'))).toEqual([])
})

test('what is kept without the seal, or for another list of files, is not believed', async () => {
  const root = folder({ 'views.py': CALLER, 'store.py': SAFE })
  const paths = ['views.py', 'store.py']
  const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })
  const first = CrossFileMemory.open(root, rules, paths, seal)
  const oids = nameAll({ 'views.py': CALLER, 'store.py': SAFE })
  await follow(root, paths, first, oids)
  first.save()
  write(root, { 'store.py': CALLED })
  const with_ = (memory: CrossFileMemory) => follow(root, paths, memory, oids).then(({ findings }) => findings.length)
  expect(await with_(CrossFileMemory.open(root, rules, paths, seal))).toBe(0)
  expect(await with_(CrossFileMemory.open(root, rules, [...paths, 'c.py'], seal))).toBe(1)
  expect(await with_(CrossFileMemory.open(root, rules.slice(1), paths, seal))).toBe(1)
  expect(await with_(CrossFileMemory.open(root, rules, paths, openSeal({ SVC_CACHE_KEY: 'x'.repeat(32) })))).toBe(1)
})

test('what a file came to whose bytes are not those that git names, or that could not be read, is not kept', async () => {
  const root = folder({ 'views.py': CALLER, 'store.py': SAFE })
  const paths = ['views.py', 'store.py']
  const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })
  const oids = nameAll({ 'views.py': CALLER, 'store.py': CALLED })
  const open = () => CrossFileMemory.open(root, rules, paths, seal)
  // Written in between: git still has the name of what the file was.
  const changed = open()
  expect((await follow(root, paths, changed, oids)).findings).toEqual([])
  changed.save()
  write(root, { 'store.py': CALLED })
  expect((await follow(root, paths, open(), oids)).findings).toHaveLength(1)
  const gone = open()
  const sizes = { 'views.py': CALLER.length, 'store.py': CALLED.length }
  rmSync(join(root, 'store.py'))
  expect((await follow(root, paths, gone, oids, sizes)).findings).toEqual([])
  gone.save()
  write(root, { 'store.py': CALLED })
  expect((await follow(root, paths, open(), oids)).findings).toHaveLength(1)
})

test('a file that cannot be parsed is said not to be followed', async () => {
  const deep = `${CALLER}x = ${'['.repeat(5000)}1${']'.repeat(5000)}\n`
  const { findings, notices } = await follow(folder({ 'views.py': deep, 'store.py': CALLED }), ['views.py', 'store.py'])
  expect(findings).toEqual([])
  expect(notices).toMatchObject([{ kind: 'calls_not_followed', file: 'views.py' }])
})

test('functions that call each other from file to file come to an end', async () => {
  const ring = (own: string, next: string) =>
    `from flask import request\nfrom ${next} import ${next}f\ndef ${own}f(q):\n    return ${next}f(q + request.args["q"])\n`
  const root = folder({ 'a.py': ring('a', 'b'), 'b.py': ring('b', 'c'), 'c.py': ring('c', 'a') })
  const { findings } = await follow(root, ['a.py', 'b.py', 'c.py'])
  expect(findings).toEqual([])
})

test('input that goes on through more files than are followed is said not to be followed', async () => {
  const links = Array.from({ length: 8 }, (_, n) => [
    `m${n}.py`,
    `from m${n + 1} import f${n + 1}\ndef f${n}(q):\n    return f${n + 1}(q)\n`,
  ])
  const all = {
    'views.py': 'from flask import request\nfrom m0 import f0\ndef show():\n    return f0(request.args["q"])\n',
    ...Object.fromEntries(links),
    'm8.py': 'import os\ndef f8(q):\n    os.system(q)\n',
  }
  const { findings, notices } = await follow(folder(all), Object.keys(all))
  expect(findings).toEqual([])
  expect(notices).toMatchObject([{ kind: 'calls_not_followed', file: '.' }])
})
