import { realpathSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { isInside } from '../../base/disk/project-write.ts'
import { readRegular } from '../../base/disk/read.ts'
import { readNamedSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { COVERAGE_FORMATS } from './formats.ts'
import { matchCoverage } from './match.ts'
import { type FileCoverage, refuseReport } from './report.ts'

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

/** Coverage of listed files, and the reports that it comes from. */
export interface FoundCoverage {
  reports: FoundReport[]
  /** Files that have the name of a report and are none, with the reason. */
  skipped: { path: string; reason: string }[]
  /** By listed path, each from the report that was written last. */
  files: Map<string, FileCoverage>
  /** Paths of reports that are no listed file, or that could be several. */
  unmatched: string[]
}

/** Where a report is, and the directory of the project that it belongs to. */
interface Candidate {
  path: string
  /** Relative to the root with a slash at the end; empty for the root. */
  project: string
  isNamed: boolean
}

/** A report with what it says, before files are chosen among reports. */
interface ReadReport {
  report: FoundReport
  written: number
  files: Map<string, FileCoverage>
  unmatched: string[]
}

/**
 * Coverage by the reports that the user names (`named`, relative to `cwd`), or else by those that lie where their tools write them by
 * default: at the root and beside each manifest. Git ignores them in most repositories, so they are looked up on disk. A file that was found
 * and is no report at all is skipped with the reason, as is one outside of the repository. INPUT_INVALID with file and line where a report
 * is broken, or where a named file is none; NOT_FOUND where a named file does not exist.
 */
export async function findCoverage(
  root: string,
  listed: readonly string[],
  { named = [], cwd = root }: { named?: readonly string[]; cwd?: string } = {},
): Promise<FoundCoverage> {
  const read: ReadReport[] = []
  const skipped: FoundCoverage['skipped'] = []
  const directories = listDirectories(listed)
  const candidates =
    named.length > 0 ? named.map(path => locateNamed(root, cwd, path, directories)) : listCandidates(directories)
  for (const candidate of candidates) {
    const bytes = candidate.isNamed ? readNamed(cwd, candidate.path) : readFound(root, candidate.path)
    if (bytes === undefined) continue
    const report = typeof bytes === 'string' ? bytes : await readReport(bytes, candidate, listed)
    if (typeof report !== 'string') {
      const written = statSync(resolve(candidate.isNamed ? cwd : root, candidate.path)).mtime
      report.report.written_at = written.toISOString()
      read.push({ ...report, written: written.getTime() })
    } else if (candidate.isNamed) throw refuseReport(candidate.path, 1, report)
    else skipped.push({ path: candidate.path, reason: report })
  }
  return {
    reports: read.map(({ report }) => report),
    skipped,
    files: chooseNewest(read),
    unmatched: read.flatMap(({ unmatched }) => unmatched),
  }
}

/** What a report says, or why it is none. */
async function readReport(
  content: Uint8Array,
  { path, project }: Candidate,
  listed: readonly string[],
): Promise<Omit<ReadReport, 'written'> | string> {
  if (content.length === 0) return 'it is empty'
  const beginning = new TextDecoder().decode(content.subarray(0, BEGINNING))
  const format = COVERAGE_FORMATS.find(({ marker }) => marker.test(beginning))
  if (!format) return 'it is in no format of coverage that svc reads'
  const files = await format.read(new TextDecoder().decode(content), path)
  if (!files.some(({ units }) => units.size > 0)) return 'it names no file with lines'
  const { files: matched, unmatched } = matchCoverage(files, listed, project)
  const report = { path, format: format.name, written_at: '', files: files.length, matched: matched.size }
  return { report, files: matched, unmatched }
}

/** The bytes of a file of the repository, links resolved; undefined where there is none, or why it is not read. */
function readFound(root: string, path: string): Uint8Array | string | undefined {
  let target: string
  try {
    target = realpathSync(join(root, path))
    if (!isInside(realpathSync(root), target)) return 'it is outside of the repository'
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `it cannot be read (${code})`
  }
  const content = readRegular(target, MOST_BYTES)
  if (content instanceof Uint8Array) return content
  if (content.reason === 'vanished') return undefined
  return content.reason === 'too_large' ? 'it has more than 512 MB' : `it is no regular file (${content.detail})`
}

function readNamed(cwd: string, path: string): Uint8Array {
  const content = readNamedSettings(resolve(cwd, path), path, { most: MOST_BYTES, code: 'INPUT_INVALID' })
  if (!content) throw new EngineError('NOT_FOUND', `The coverage report ${path} does not exist.`)
  return content
}

/** For each file what the report that was written last says of it: earlier ones are of earlier code. */
function chooseNewest(read: readonly ReadReport[]): Map<string, FileCoverage> {
  const files = new Map<string, FileCoverage>()
  for (const { files: own } of [...read].sort((a, b) => b.written - a.written))
    for (const [path, file] of own) if (!files.has(path)) files.set(path, file)
  return files
}

/** The root and each directory with a manifest, with a slash at the end. */
function listDirectories(listed: readonly string[]): Set<string> {
  const directories = new Set([''])
  for (const path of listed) {
    const at = path.lastIndexOf('/') + 1
    if (MANIFESTS.has(path.slice(at)) && directories.size < MOST_DIRECTORIES) directories.add(path.slice(0, at))
  }
  return directories
}

/** Places where a report can be, in the order of their directories; each once. */
function listCandidates(directories: ReadonlySet<string>): Candidate[] {
  const names = [...new Set(COVERAGE_FORMATS.flatMap(({ paths }) => paths))]
  return [...directories].flatMap(project =>
    names.map((name): Candidate => ({ path: `${project}${name}`, project, isNamed: false })),
  )
}

/** A named report belongs to the innermost project around it. */
function locateNamed(root: string, cwd: string, path: string, directories: ReadonlySet<string>): Candidate {
  let project = relative(root, resolve(cwd, path)).split(sep).join('/')
  while (project !== '' && !directories.has(project))
    project = project.slice(0, project.lastIndexOf('/', project.length - 2) + 1)
  return { path, project, isNamed: true }
}
