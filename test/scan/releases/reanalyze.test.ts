import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { detectLanguage } from '../../../engine/base/languages/languages.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { RELEASE_ENDINGS, RELEASE_WORDS } from '../../../engine/detect/memory/library.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { answerReleases } from '../../../engine/scan/releases/file-releases.ts'
import { findByReleases } from '../../../engine/scan/releases/reanalyze.ts'
import { isOfReleases } from '../../../engine/scan/releases/release-rules.ts'
import { SharedReleases } from '../../../engine/scan/releases/shared-releases.ts'
import type { Perform, Task } from '../../../engine/scan/tasks.ts'
import { folder } from '../../made/folder.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

/**
 * Programs of several files, all in one directory. In `programs.txt`:
 *
 *     === path of a file
 *     a line   «416»       a block that a function of another file frees is used (CWE-416) or freed (CWE-415) here; on all other lines none is
 */
const PROGRAMS = readFileSync(join(import.meta.dirname, 'programs.txt'), 'utf8')
const MARK = /\s*«(\d+)»/u

registerGrammars()
const packs = await loadShippedPacks()
const rules = packs.flatMap(pack => pack.rules).filter(isOfReleases)
const set = new RuleSet(rules)
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

/** What is found in files by what others free, as a scan comes to it: each file by itself, then those that ask once more. */
function find(files: Record<string, string>, perform?: Perform) {
  const root = folder(files)
  const shared = new SharedReleases()
  for (const [path, content] of Object.entries(files)) {
    const language = detectLanguage(path)!
    const in_test = /\btest\//.test(path)
    const bytes = new TextEncoder().encode(content)
    const { releases } = scanFile(set, { path, language, in_test, bytes }, limits)
    if (releases) shared.add({ file: { path, size: bytes.length, language, in_test }, language, facts: releases })
  }
  const request = { root, shared, rules, limits, controls: new Map(), applies: () => true }
  return findByReleases({ ...request, perform, signal: new AbortController().signal })
}

const { files, marked } = readPrograms()

/** A program that is too large for the main thread: 120 of its files use what another one frees. */
const many = Object.fromEntries([
  ['box.c', files['c/box/box.c']!],
  ...Array.from({ length: 120 }, (_, at) => {
    const code = `int f${at}(struct box *b) { destroy_box(b); return b->size; }\n`
    return [`use${at}.c`, at === 0 ? `${code}/* ${'long '.repeat(30_000)} */\n` : code]
  }),
]) as Record<string, string>

test('what functions of other files free is reported where it is used or freed again, and nothing else is', async () => {
  const { findings, notices } = await find(files)
  const found = findings.map(({ file, line, cwe }) => `${file}:${line} ${cwe[0]}`)
  expect(found.sort()).toEqual(marked.sort())
  expect(notices).toEqual([])
})

test('a finding leads through the file that frees, and its confidence is lower than that of one file', async () => {
  const { findings } = await find(files)
  const labels = (path: string, line: number) =>
    findings
      .find(each => each.file === path && each.line === line)!
      .flow!.map(({ file, line: at, label }) => `${file}:${at} ${label}`)
  expect(labels('c/box/main.c', 6)).toEqual([
    'c/box/main.c:5 freed by destroy_box',
    'c/box/box.c:6 freed here',
    'c/box/main.c:6 used here',
  ])
  // Where it is freed first in the file itself.
  expect(labels('c/box/main.c', 17)).toEqual([
    'c/box/main.c:16 freed here',
    'c/box/box.c:6 freed here',
    'c/box/main.c:17 freed by destroy_box',
  ])
  // What is handed on is freed where that is done.
  expect(labels('c/hop/use.c', 1)[1]).toBe('c/hop/parts.c:4 freed here')
  expect(new Set(findings.map(({ confidence }) => confidence))).toEqual(new Set([0.8]))
})

test('threads that answer in another order than they were asked come to what one comes to', async () => {
  const asked: number[] = []
  const perform = (async ({ question }: Task<'releases'>) => {
    const turn = asked.push(question.files.length)
    const answer = await answerReleases(structuredClone(question), rules)
    await setTimeout(30 / turn)
    return structuredClone(answer)
  }) as unknown as Perform
  const onThreads = await find(many, perform)
  expect(asked.length).toBeGreaterThan(2)
  expect(onThreads).toEqual(await find(many))
  expect(onThreads.findings).toHaveLength(120)
})

test('a function that is too long is a notice', async () => {
  const long = `int f(struct box *b) { destroy_box(b); ${'g(1);\n'.repeat(12_000)} return b->size; }\n`
  const { findings, notices } = await find({ 'box.c': files['c/box/box.c']!, 'use.c': long })
  expect(findings).toEqual([])
  expect(notices).toMatchObject([{ kind: 'calls_not_followed', file: 'use.c' }])
})

test('each word of a release is one that the rules ask for', () => {
  const words = [...RELEASE_WORDS, ...RELEASE_ENDINGS.map(word => `_${word}`)]
  for (const { literals, id } of rules) expect(literals, id).toEqual(expect.arrayContaining(words))
  expect(rules).toHaveLength(2)
})
