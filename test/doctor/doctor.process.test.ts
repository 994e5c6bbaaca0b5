import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../engine/base/context.ts'
import type { View } from '../../engine/base/text/view.ts'
import { AST_LANGUAGES } from '../../engine/detect/syntax/grammar.ts'
import { attempt, type Check } from '../../engine/doctor/check.ts'
import { checkRepository, checkWritable } from '../../engine/doctor/project.ts'
import { SAMPLES } from '../../engine/doctor/samples.ts'
import { checkGit, checkNode } from '../../engine/doctor/tools.ts'
import check from '../../engine/ops/doctor/check.ts'
import version from '../../engine/ops/doctor/version.ts'
import pkg from '../../package.json' with { type: 'json' }

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }

function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  execFileSync('git', ['init', '-q'], { cwd: root })
  return root
}

function context(cwd: string): Context {
  return { surface: 'cli', cwd, env: {}, signal: new AbortController().signal, emit: () => {}, notice: () => {} }
}

const stateOf = (checks: readonly Check[], name: string) => checks.find(line => line.name === name)?.state

test('version is the one of package.json, on a line of its own', () => {
  const output = version.run({}, context('/')) as { version: string; node: string; platform: string }
  expect(output).toEqual({
    version: pkg.version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  })
  expect(version.text(output, view)).toBe(pkg.version)
  expect(version.text(output, { ...view, verbose: true })).toContain(process.versions.node)
})

test('the doctor finds a working machine healthy, exits 0, and leaves nothing behind', async () => {
  const root = project()
  const output = await check.run({}, context(root))
  const needed = ['node', 'git', 'grammars', 'duckdb', 'repository', '.svc', 'out', 'disk', 'configuration']
  expect(output.checks.map(({ name }) => name)).toEqual(needed)
  expect(output.checks.filter(({ state }) => state === 'fail')).toEqual([])
  expect(check.exit!(output)).toBe(0)
  expect(readdirSync(root)).toEqual(['.git'])
  expect(check.text(output, view).split('\n').at(-1)).toBe('svc can work here.')
})

test('an invalid configuration is a failure with the next step, and the exit code is 69', async () => {
  const root = project()
  mkdirSync(join(root, '.svc'))
  writeFileSync(join(root, '.svc/config.yaml'), 'gaet: 1\n')
  const output = await check.run({}, context(root))
  expect(stateOf(output.checks, 'configuration')).toBe('fail')
  expect(check.exit!(output)).toBe(69)
  expect(check.text(output, view)).toMatch(
    /fail {2}configuration {2}gaet .* did you mean gate\?\n +Run `svc validate-config`/,
  )
})

test('a Node that is too old is told what to install', () => {
  for (const [old, state] of [
    ['18.20.1', 'fail'],
    ['20.18.9', 'fail'],
    ['20.19.0', 'ok'],
    ['24.0.0', 'ok'],
  ] as const)
    expect(checkNode(old).state, old).toBe(state)
  expect(checkNode('18.0.0').next).toContain('20.19')
})

test('without git a repository cannot be scanned, a plain folder can', async () => {
  const root = project()
  const plain = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
  const path = process.env.PATH
  onTestFinished(() => {
    process.env.PATH = path
    rmSync(plain, { recursive: true, force: true })
  })
  process.env.PATH = plain
  expect((await checkGit(root)).state).toBe('fail')
  expect((await checkGit(plain)).state).toBe('warn')
})

test('a folder that is missing, empty or without git is told apart from a repository', () => {
  const root = project()
  expect(checkRepository(root).state).toBe('ok')
  expect(checkRepository(join(root, '.git/refs/tags')).detail).toBe('an empty directory')
  expect(checkRepository(join(root, '.git')).detail).toBe('a directory without git')
  expect(checkRepository(join(root, 'absent'))).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('ENOENT'),
  })
})

test('a folder is as writable as the system says to this user, and root may write anywhere', () => {
  const root = project()
  chmodSync(root, 0o555)
  onTestFinished(() => chmodSync(root, 0o755))
  expect(checkWritable(root, 'out').state).toBe(process.getuid?.() === 0 ? 'ok' : 'fail')
})

test('a file where a folder belongs is a failure', () => {
  const root = project()
  writeFileSync(join(root, 'out'), '')
  expect(checkWritable(root, 'out').state).toBe('fail')
  expect(checkWritable(root, '.svc')).toMatchObject({ state: 'ok', detail: 'can be created' })
})

test('a check that throws is a failure that says why, in one line', async () => {
  const line = await attempt('duckdb', 'Install again.', () => {
    throw new Error('no binding\n    at somewhere')
  })
  expect(line).toEqual({ name: 'duckdb', state: 'fail', detail: 'no binding', next: 'Install again.' })
})

test('every language that rules can be written for has a sample', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual([...AST_LANGUAGES])
})
