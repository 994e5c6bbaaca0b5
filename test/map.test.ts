import { expect, it } from 'vitest'
import { textOf } from './root.ts'
import { type Import, importsOf, projectFiles } from './sources.ts'

const files = projectFiles().filter(path => !path.includes('/fixtures/'))
const tests = files.filter(path => /^test\/.*\.test\.ts$/.test(path))
const engine = files.filter(path => path.startsWith('engine/'))

/** What starts a process, a thread, a server or a browser. */
const STARTS =
  /^(node:(child_process|cluster|http|https|net|worker_threads)|playwright-core|@modelcontextprotocol\/(sdk\/client\/stdio\.js|client\/stdio))$/

/** Folders of tests that look at the program from outside, and so stand for no room of the engine. */
const OUTSIDE = ['applications', 'attack', 'blind', 'browser', 'ci', 'conformance', 'contract', 'docs', 'robustness']
const OTHER = [...OUTSIDE, 'scripts', 'surfaces']

const known = new Map<string, Import[]>()

/** The way by which a file comes to start something, through what tests share, or nothing. */
function wayToStart(path: string, way: string[] = [], seen = new Set<string>()): string[] | undefined {
  seen.add(path)
  if (!known.has(path)) known.set(path, importsOf(path, textOf(path)))
  for (const { to, typeOnly } of known.get(path)!) {
    if (typeOnly || seen.has(to)) continue
    if (STARTS.test(to)) return [...way, path, to]
    const found = /^(test|bench|scripts)\/.*\.ts$/.test(to) && wayToStart(to, [...way, path], seen)
    if (found) return found
  }
}

it('a unit test imports nothing that starts a process, a thread, a server or a browser', () => {
  const wrong = tests
    .filter(path => !/\.(process|browser)\.test\.ts$/.test(path))
    .flatMap(path => wayToStart(path)?.join(' imports ') ?? [])
  expect(wrong, 'a file that has to is named *.process.test.ts or *.browser.test.ts (docs/testing.md)').toEqual([])
})

it('a property has its time limit from test/made/property.ts, so that no timeout hides a counterexample', () => {
  const direct = files.filter(
    path => path.startsWith('test/') && importsOf(path, textOf(path)).some(({ to }) => to === 'fast-check'),
  )
  expect(direct).toEqual(['test/made/property.ts'])
})

it('the word before .test.ts is a project, or there is none', () => {
  const words = tests.flatMap(path => /\.([a-z]+)\.test\.ts$/.exec(path)?.[1] ?? [])
  expect([...new Set(words)].sort()).toEqual(['browser', 'long', 'process'])
  expect(tests.filter(path => path.startsWith('test/browser/') !== path.endsWith('.browser.test.ts'))).toEqual([])
})

it('a folder of tests is a room of engine/, or looks at the program from outside', () => {
  const strangers = tests.filter(path => {
    const folder = path.split('/').slice(1, -1).join('/')
    const outside = folder === '' || OTHER.includes(folder.split('/')[0]!)
    return !outside && !engine.some(file => file.startsWith(`engine/${folder}/`))
  })
  // Tries to get round the guard, one a file.
  const evasions = 'test/governance/evasions/'
  expect(strangers.filter(path => !path.startsWith(evasions))).toEqual([])
})
