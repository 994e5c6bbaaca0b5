import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../base/disk/project-write.ts'
import { readRegular } from '../../base/disk/read.ts'
import { compileGlob, getRequiredText } from '../../base/text/glob.ts'

export const TEST_OUTCOMES = ['passed', 'failed', 'skipped'] as const
export type TestOutcome = (typeof TEST_OUTCOMES)[number]

/** One test of a report. */
export interface TestCase {
  name: string
  classname: string
  /** As the report has it: relative to somewhere, or absolute. */
  file?: string
  outcome: TestOutcome
}

/** A report that was read. */
export interface TestReport {
  path: string
  /** ISO 8601: when it was written. */
  ran_at: string
  tests: number
  /** Why it was not read to its end. */
  fault?: string
}

export interface TestRuns {
  reports: TestReport[]
  cases: (TestCase & { ran_at: string })[]
}

/** The largest report that is read. */
const MOST_BYTES = 64 << 20
/** Reports that are read, newest first. */
const MOST_REPORTS = 500
const MOST_DIRECTORIES = 1000
/** A test's directory is nested no deeper below one of these. */
const DEEPEST = 4

/** Where runners write JUnit XML by default, relative to the root and to each directory with a manifest. */
const FILES = ['junit.xml', 'report.xml', 'test-results.xml', 'test-report.xml', 'junit-report.xml', 'rspec.xml']
const DIRECTORIES = [
  'test-results',
  'test-reports',
  'target/surefire-reports',
  'build/test-results',
  'reports/junit',
  'reports',
]
const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|Cargo\.toml)$/

/**
 * Reads the JUnit XML reports of the latest test run: those that `globs` name, else those that lie where runners write them. Git ignores them in
 * most repositories, so they are looked up on disk. Where two reports have the same test, the newer one counts.
 */
export async function readTestRuns(
  root: string,
  listed: readonly string[],
  globs: readonly string[] = [],
): Promise<TestRuns> {
  const found = listTestReports(root, listed, globs)
  const top = realpathSync.native(root)
  const dated = found
    // A link, or a glob with `..`, must not lead out of the repository.
    .filter(path => isInside(top, realpathSync.native(join(root, path))))
    .map(path => ({ path, time: statSync(join(root, path)).mtimeMs }))
    .sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
  const runs: TestRuns = { reports: [], cases: [] }
  const seen = new Set<string>()
  for (const { path, time } of dated.slice(0, MOST_REPORTS)) {
    const bytes = readRegular(join(root, path), MOST_BYTES)
    if (!(bytes instanceof Uint8Array)) continue
    const text = new TextDecoder().decode(bytes)
    if (!/<testsuites?[\s>]/.test(text.slice(0, 4096))) continue
    const ran_at = new Date(time).toISOString()
    const { cases, fault } = await parseJUnit(text)
    runs.reports.push({ path, ran_at, tests: cases.length, ...(fault !== undefined && { fault }) })
    for (const each of cases) {
      const key = `${each.file ?? ''}\0${each.classname}\0${each.name}`
      if (seen.has(key)) continue
      seen.add(key)
      runs.cases.push({ ...each, ran_at })
    }
  }
  return runs
}

/** Where reports of tests may lie that are there: those that `globs` name, else those that runners write by default. */
export function listTestReports(root: string, listed: readonly string[], globs: readonly string[] = []): string[] {
  return globs.length > 0 ? findNamed(root, globs) : findUsual(root, listed)
}

/** The tests of a JUnit XML report; where it is not well formed, those before the fault. */
export async function parseJUnit(text: string): Promise<{ cases: TestCase[]; fault?: string }> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: false })
  const cases: TestCase[] = []
  const files: (string | undefined)[] = []
  let fault: string | undefined
  let now: TestCase | undefined
  parser.on('error', () => {
    fault ??= `line ${parser.line} is not well-formed XML`
  })
  parser.on('doctype', () => {
    fault ??= 'it has a document type declaration'
  })
  parser.on('opentag', ({ name, attributes }) => {
    const { file, classname = '', name: title = '' } = attributes as Record<string, string>
    if (name === 'testsuite') files.push(file ?? files.at(-1))
    else if (name === 'testcase') now = { name: title, classname, outcome: 'passed', ...withFile(file ?? files.at(-1)) }
    else if (now && (name === 'failure' || name === 'error')) now.outcome = 'failed'
    else if (now?.outcome === 'passed' && name === 'skipped') now.outcome = 'skipped'
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'testsuite') files.pop()
    if (name !== 'testcase' || !now) return
    cases.push(now)
    now = undefined
  })
  for (let at = 0; at < text.length && fault === undefined; at += 65_536) parser.write(text.slice(at, at + 65_536))
  if (fault === undefined) parser.close()
  return { cases, ...(fault !== undefined && { fault }) }
}

function withFile(file: string | undefined): { file?: string } {
  return file === undefined || file === '' ? {} : { file }
}

function findUsual(root: string, listed: readonly string[]): string[] {
  const bases = new Set([''])
  for (const path of listed)
    if (MANIFEST.test(path) && bases.size < MOST_DIRECTORIES) bases.add(path.slice(0, path.lastIndexOf('/') + 1))
  return [...bases].flatMap(base => [
    ...FILES.map(name => `${base}${name}`).filter(path => isFile(join(root, path))),
    ...DIRECTORIES.flatMap(directory => [...listXml(root, `${base}${directory}`, DEEPEST)]),
  ])
}

function findNamed(root: string, globs: readonly string[]): string[] {
  return globs.flatMap(glob => {
    const matches = compileGlob(glob)
    const { head } = getRequiredText(glob)
    if (isFile(join(root, glob))) return [glob]
    const directory = head.slice(0, Math.max(0, head.lastIndexOf('/')))
    return [...listXml(root, directory, 8)].filter(matches)
  })
}

function* listXml(root: string, directory: string, deeper: number): Generator<string> {
  let entries: Dirent[]
  try {
    if (!isInside(realpathSync.native(root), realpathSync.native(join(root, directory)))) return
    entries = readdirSync(join(root, directory), { withFileTypes: true })
  } catch {
    return
  }
  for (const entry of entries.slice(0, 10_000)) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`
    if (entry.isFile() && entry.name.endsWith('.xml')) yield path
    else if (entry.isDirectory() && deeper > 0 && entry.name !== 'node_modules' && entry.name !== '.git')
      yield* listXml(root, path, deeper - 1)
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
