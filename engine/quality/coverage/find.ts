import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import { EngineError } from '../../base/errors.ts'
import { COVERAGE_FORMATS } from './formats.ts'
import { type MatchedCoverage, matchCoverage } from './match.ts'
import type { FileCoverage } from './report.ts'

/** The largest report that is read. */
const MOST_BYTES = 512 << 20
/** Directories with a manifest in which reports are looked up. */
const MOST_DIRECTORIES = 1000
/** How much of a report shows its format. */
const BEGINNING = 65_536

/** Files that mark the directory of a project, in which its tools write their report. */
const MANIFESTS = new Set([
  ...['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'go.mod', 'pom.xml', 'build.gradle'],
  ...['build.gradle.kts', 'Gemfile', 'composer.json', 'Cargo.toml', 'pubspec.yaml', 'CMakeLists.txt'],
])

/** A coverage report that was read. */
export interface FoundReport {
  path: string
  format: string
  written_at: string
  files: number
  matched: number
}

export interface FoundCoverage extends MatchedCoverage {
  reports: FoundReport[]
}

/**
 * Coverage by the reports that lie where their tools write them by default: at the root and beside each manifest. Git ignores them in most
 * repositories, so they are looked up on disk. INPUT_INVALID with file and line where one cannot be read.
 */
export async function findCoverage(root: string, listed: readonly string[]): Promise<FoundCoverage> {
  const reports: FoundReport[] = []
  const all: FileCoverage[] = []
  for (const path of listCandidates(listed)) {
    const content = readRegular(join(root, path), MOST_BYTES)
    if (!(content instanceof Uint8Array)) continue
    const text = new TextDecoder().decode(content)
    const format = COVERAGE_FORMATS.find(({ marker }) => marker.test(text.slice(0, BEGINNING))) ?? guessByPath(path)
    const files = await format.read(text, path)
    const { files: matched } = matchCoverage(files, listed)
    const written_at = statSync(join(root, path)).mtime.toISOString()
    reports.push({ path, format: format.name, written_at, files: files.length, matched: matched.size })
    for (const file of files) all.push(file)
  }
  return { reports, ...matchCoverage(all, listed) }
}

/** Places where a report can be, in the order of their directories; each once. */
function listCandidates(listed: readonly string[]): string[] {
  const directories = new Set([''])
  for (const path of listed) {
    const at = path.lastIndexOf('/') + 1
    if (MANIFESTS.has(path.slice(at)) && directories.size < MOST_DIRECTORIES) directories.add(path.slice(0, at))
  }
  const names = [...new Set(COVERAGE_FORMATS.flatMap(({ paths }) => paths))]
  return [...directories].flatMap(directory => names.map(name => `${directory}${name}`))
}

/** The format of a file without any marker: that of its name, whose reader then says what is wrong. */
function guessByPath(path: string) {
  const format = COVERAGE_FORMATS.find(({ paths }) => paths.some(each => path === each || path.endsWith(`/${each}`)))
  if (!format) throw new EngineError('INTERNAL', `No format of coverage is written to ${path}.`)
  return format
}
