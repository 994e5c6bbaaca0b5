import type { TestCase, TestOutcome, TestRuns } from './test-runs.ts'

/** What the last run says of a test. */
export interface LastRun {
  outcome: TestOutcome
  /** ISO 8601. */
  ran_at: string
  tests: number
  failed: number
}

/** The tests of the last run, by the files that they are in. */
export class RunIndex {
  readonly #byFile = new Map<string, (TestCase & { ran_at: string })[]>()

  /** `files` are the paths of test files; a test whose file is not among them is left out. */
  constructor({ cases }: Pick<TestRuns, 'cases'>, files: Iterable<string>) {
    const known = new Set(files)
    const dotted = new Map<string, string[]>()
    for (const path of known) {
      const key = toDotted(path)
      for (const suffix of listSuffixes(key)) {
        const paths = dotted.get(suffix)
        if (paths) paths.push(path)
        else dotted.set(suffix, [path])
      }
    }
    for (const each of cases) {
      const file = findByPath(each.file, known) ?? findByPath(each.classname, known) ?? findByName(each, dotted)
      if (file === undefined) continue
      const list = this.#byFile.get(file)
      if (list) list.push(each)
      else this.#byFile.set(file, [each])
    }
  }

  /**
   * The last run of a test file, or of one test in it where a test of this name was run there: failed where one failed, passed where one passed and none
   * failed, skipped else. Undefined where nothing is known.
   */
  find(file: string, symbol?: string): LastRun | undefined {
    const all = this.#byFile.get(file)
    if (!all) return undefined
    const own = symbol === undefined ? [] : all.filter(({ name, classname }) => isNamed(name, classname, symbol))
    const cases = own.length > 0 ? own : all
    const failed = cases.filter(({ outcome }) => outcome === 'failed').length
    const hasPassed = cases.some(({ outcome }) => outcome === 'passed')
    const outcome = failed > 0 ? 'failed' : hasPassed ? 'passed' : 'skipped'
    const ran_at = cases.reduce((latest, each) => (each.ran_at > latest ? each.ran_at : latest), '')
    return { outcome, ran_at, tests: cases.length, failed }
  }
}

function isNamed(name: string, classname: string, symbol: string): boolean {
  return (
    name === symbol ||
    name.startsWith(`${symbol}[`) ||
    name.startsWith(`${symbol}(`) ||
    classname.endsWith(`.${symbol}`)
  )
}

/** More ends of one path are not compared. */
const MOST_SUFFIXES = 12

/** `a.b.c`, `b.c`, `c`. */
function listSuffixes(key: string): string[] {
  const parts = key.split('.').slice(-MOST_SUFFIXES)
  return parts.map((_, index) => parts.slice(index).join('.'))
}

function toDotted(path: string): string {
  return path.replace(/\.[^./]+$/, '').replaceAll('/', '.')
}

/** A path as a report has it, which may be absolute or begin above the repository. */
function findByPath(path: string | undefined, known: ReadonlySet<string>): string | undefined {
  if (path === undefined || !/[/\\.]/.test(path)) return undefined
  let rest = path.replaceAll('\\', '/').replace(/^\.\//, '')
  for (let step = 0; step < 40; step++) {
    if (known.has(rest)) return rest
    const slash = rest.indexOf('/')
    if (slash === -1) return undefined
    rest = rest.slice(slash + 1)
  }
  return undefined
}

/** `tests.test_login.TestLogin` is in tests/test_login.py, `com.acme.LoginTest` in the one file that ends with com/acme/LoginTest. */
function findByName({ classname }: TestCase, dotted: ReadonlyMap<string, string[]>): string | undefined {
  let name = classname
  for (let step = 0; step < 6 && name !== ''; step++) {
    const paths = dotted.get(name)
    if (paths?.length === 1) return paths[0]
    const dot = name.lastIndexOf('.')
    if (dot === -1) return undefined
    name = name.slice(0, dot)
  }
  return undefined
}
