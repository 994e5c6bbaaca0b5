import type { SourceFile } from '../base/records/source-file.ts'
import { compileGlob } from '../base/text/glob.ts'
import { DEFAULT_OUTPUT } from '../sources/repository/own-output.ts'
import { type KnownScanner, SCANNERS } from './scanners.ts'

/** Why a scanner is taken to be in use. */
export interface Evidence {
  file: string
  line?: number
  /** In words: what stands there. */
  what: string
}

/** A scanner in use, and how its findings can be had. */
export interface Detected {
  name: string
  title: string
  evidence: Evidence[]
  command?: string[]
  report?: string
  note?: string
}

/** Build files and manifests, in which programs are named that run over the repository. */
const MENTIONING = [
  '.github/workflows/*.{yml,yaml}',
  '.github/actions/**/*.{yml,yaml}',
  '.gitlab-ci.yml',
  '.gitlab/**/*.{yml,yaml}',
  '**/azure-pipelines*.{yml,yaml}',
  'bitbucket-pipelines.yml',
  '.circleci/config.yml',
  '.travis.yml',
  '**/Jenkinsfile',
  '.pre-commit-config.yaml',
  '**/package.json',
  '**/pyproject.toml',
  '**/setup.cfg',
  '**/tox.ini',
  '**/requirements*.txt',
  '**/composer.json',
  '**/Gemfile',
  '**/Makefile',
  '**/Taskfile.{yml,yaml}',
  '**/justfile',
]
const mentions = compiled(MENTIONING)

/** Pieces of evidence that are listed for one scanner. */
const MOST_EVIDENCE = 5
/** Names of the reports that svc writes itself. */
const OWN_DRIVER = /^svc$/i

/** A SARIF file found, and the tool that it says it is of. */
export interface FoundReport {
  file: string
  driver: string
}

/**
 * The scanners that a repository shows signs of: their configuration files, mentions in build files and manifests (comments
 * apart), and SARIF reports. `read` gives a file's text, undefined where it cannot be had. Test files count for nothing. Reports that a
 * scanner writes itself go below `out`, the output directory of the configuration.
 */
export function detectScanners(
  files: readonly SourceFile[],
  reports: readonly FoundReport[],
  read: (file: SourceFile) => string | undefined,
  out: string = DEFAULT_OUTPUT,
): Detected[] {
  const own = files.filter(({ in_test }) => !in_test)
  const texts = own.flatMap(file => {
    const text = mentions(file.path) ? read(file) : undefined
    return text === undefined ? [] : [{ file: file.path, lines: text.split('\n') }]
  })
  const found: Detected[] = []
  for (const scanner of SCANNERS) {
    const isConfig = compiled(scanner.files)
    const configs = own.map(({ path }) => path).filter(isConfig)
    const reported = reports.filter(({ driver }) => scanner.driver.test(driver))
    const evidence = [
      ...configs.map(file => ({ file, what: 'its configuration' })),
      ...texts.flatMap(text => mention(scanner, text)),
      ...reported.map(({ file }) => ({ file, what: 'a SARIF report of it' })),
    ]
    if (evidence.length > 0) found.push(detected(scanner, evidence, configs, out, reported[0]?.file))
  }
  const unknown = reports.filter(
    ({ driver }) => !OWN_DRIVER.test(driver) && !SCANNERS.some(known => known.driver.test(driver)),
  )
  for (const { file, driver } of unknown) {
    const name =
      driver
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '') || 'unnamed'
    if (found.some(other => other.name === name)) continue
    found.push({ name, title: driver, evidence: [{ file, what: 'a SARIF report of it' }], report: file })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function detected(
  scanner: KnownScanner,
  evidence: Evidence[],
  configs: readonly string[],
  out: string,
  report?: string,
): Detected {
  const { name, title, command, note } = scanner
  const how =
    report !== undefined
      ? { report }
      : command && { command: command(configs, out), ...(scanner.report && { report: scanner.report(out) }) }
  return { name, title, evidence: evidence.slice(0, MOST_EVIDENCE), ...how, ...(note !== undefined && { note }) }
}

/** The first line of a file that mentions a scanner in something else than a comment. */
function mention({ words }: KnownScanner, { file, lines }: { file: string; lines: readonly string[] }): Evidence[] {
  const named = new RegExp(`(?<![\\w.-])(?:${words.map(word => word.replace(/[.]/g, '\\.')).join('|')})(?!\\w)`, 'i')
  const at = lines.findIndex(line => !/^\s*(?:#|\/\/)/.test(line) && named.test(line))
  // Not the line: in build files, credentials stand beside the programs that take them.
  return at < 0 ? [] : [{ file, line: at + 1, what: 'a mention of it' }]
}

function compiled(globs: readonly string[]): (path: string) => boolean {
  const all = globs.map(compileGlob)
  return path => all.some(matches => matches(path))
}
