import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readSettings } from '../../base/disk/settings-file.ts'
import { toEngineError } from '../../base/errors.ts'
import { CONFIG_PATH } from '../../sources/config/paths.ts'
import { DEFAULT_OUTPUT } from '../../sources/repository/own-output.ts'
import { runFolders } from '../../sources/store/layout.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

/** A repository below the root. */
export interface FoundProject {
  /** Path from the root, with forward slashes; `.` for the root itself. */
  path: string
  /** Ids of its stored runs, newest first; empty where it was never scanned. */
  runs: string[]
  /** Absolute path of its output directory. */
  out: string
  /** Why its settings cannot be read, and so nobody knows where its runs are. */
  fault?: string
}

export interface FoundProjects {
  projects: FoundProject[]
  /** What was not searched or read, each in a sentence. */
  omitted: string[]
}

/** How deep repositories are looked for, how many directories are opened, and how many entries one may have. */
const DEPTH = 4
const DIRECTORIES = 20_000
const ENTRIES = 10_000

const SKIPPED = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'out'])

/**
 * The repositories below a directory: what holds `.git`, or an output directory of svc with runs. What is inside a repository is part of it. No symbolic link is
 * followed, and what is not searched is said. Projects are in the order of their paths.
 */
export async function findProjects(root: string): Promise<FoundProjects> {
  const top = realpathSync.native(root)
  const projects: FoundProject[] = []
  const omitted: string[] = []
  let level = [top]
  let opened = 0
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth++) {
    const next: string[] = []
    for (const directory of level) {
      if (++opened > DIRECTORIES) {
        omitted.push(`Only the first ${DIRECTORIES} directories were searched.`)
        return { projects: sortByPath(projects), omitted }
      }
      const entries = listEntries(directory)
      if (typeof entries === 'string') {
        omitted.push(`${nameOf(top, directory)} ${entries}.`)
        continue
      }
      const found = await findProject(top, directory, entries)
      if (found) projects.push(found)
      if (found?.fault !== undefined)
        omitted.push(`The settings of ${found.path} cannot be read, so its runs are not shown: ${found.fault}`)
      // The root may be a repository itself and have others below it.
      if (found && directory !== top) continue
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
          next.push(join(directory, entry.name))
    }
    level = next
  }
  if (level.length > 0) omitted.push(`Directories more than ${DEPTH} levels below the root were not searched.`)
  return { projects: sortByPath(projects), omitted }
}

async function findProject(
  top: string,
  directory: string,
  entries: readonly Dirent[],
): Promise<FoundProject | undefined> {
  const names = new Set(entries.map(({ name }) => name))
  const isRepository = names.has('.git')
  if (!isRepository && !names.has('out') && !names.has('.svc')) return undefined
  const path = nameOf(top, directory)
  const { out, fault } = await findOutput(directory, names)
  if (fault !== undefined) return { path, out, runs: [], fault }
  const runs = lstatSync(join(out, 'history'), { throwIfNoEntry: false })?.isDirectory() ? await runFolders(out) : []
  if (!isRepository && runs.length === 0) return undefined
  // Ids begin with the time of the run.
  return { path, out, runs: runs.sort((a, b) => (a < b ? 1 : -1)) }
}

/**
 * The output directory of a repository, and why its settings do not say which one it is. The default one is then no answer: what is there may
 * be of before, or another program's.
 */
async function findOutput(directory: string, names: ReadonlySet<string>): Promise<Pick<FoundProject, 'out' | 'fault'>> {
  const standard = { out: join(directory, DEFAULT_OUTPUT) }
  if (!names.has('.svc')) return standard
  try {
    if (!readSettings(directory, CONFIG_PATH)?.includes('output_dir')) return standard
    const { loadConfig } = await import('../../sources/config/load.ts')
    return { out: locateOutput(directory, {}, (await loadConfig(directory)).output_dir) }
  } catch (error) {
    return { ...standard, fault: toEngineError(error).message }
  }
}

function listEntries(directory: string): Dirent[] | string {
  try {
    const entries = readdirSync(directory, { withFileTypes: true })
    return entries.length > ENTRIES ? `has more than ${ENTRIES} entries and was not searched` : entries
  } catch (error) {
    return `could not be read (${(error as NodeJS.ErrnoException).code})`
  }
}

function nameOf(top: string, directory: string): string {
  return relative(top, directory).split(sep).join('/') || '.'
}

function sortByPath(projects: FoundProject[]): FoundProject[] {
  return projects.sort((a, b) => (a.path < b.path ? -1 : 1))
}
