import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { VERSION } from '../../base/version.ts'
import { chooseConventionFiles, isProgramFile, readTexts } from '../sources.ts'
import { type LanguageConventions, measureConventions } from './conventions.ts'
import {
  type FoundFramework,
  type FoundPattern,
  findManifest,
  listFrameworks,
  listPatterns,
  listTools,
  type Source,
} from './detect.ts'
import { ADR_PATH, BUILD_TOOLS, PACKAGE_MANAGERS, PURPOSES } from './file-marks.ts'

/** What a repository is made of and how it is written; each fact names the file that shows it. */
export interface ProjectProfile {
  /** Changes where a file or svc does. */
  digest: string
  languages: { name: string; files: number; test_files: number; bytes: number }[]
  frameworks: FoundFramework[]
  build_tools: { name: string; source: Source }[]
  package_managers: { name: string; source: Source }[]
  architecture_patterns: FoundPattern[]
  adrs: { file: string; title: string; status?: string }[]
  conventions: LanguageConventions[]
  modules: ProjectModule[]
  tech_stack: Record<string, string[]>
}

/** A directory at the root, or one below a directory that holds nothing but directories. */
export interface ProjectModule {
  directory: string
  purpose: string
  files: number
  source_files: number
  test_files: number
  languages: string[]
}

const MOST_MANIFEST_BYTES = 4 << 20
const MOST_MANIFESTS = 500
const MOST_ADRS = 200
const MOST_ADR_BYTES = 1 << 20
const MOST_MODULES = 200

/** A digest of the listing: git's name of unchanged files, size and content of the others. */
export function digestListing({ root, files }: Pick<Listing, 'root' | 'files'>): string {
  const hash = createHash('sha256').update(VERSION)
  for (const file of files) {
    hash.update(`\0${file.path}\0${file.class ?? ''}\0`)
    if (file.oid !== undefined) hash.update(file.oid)
    else {
      const content = readRegular(join(root, file.path), 64 << 20)
      hash.update(content instanceof Uint8Array ? content : String(file.size))
    }
  }
  return hash.digest('hex')
}

/** Reads manifests, decision records and source files of the listing. */
export function makeProfile(
  listing: Pick<Listing, 'root' | 'files'>,
  digest: string,
  signal?: AbortSignal,
): ProjectProfile {
  const { root, files } = listing
  const own = files.filter(file => file.class !== 'vendored')
  const paths = own.map(({ path }) => path)
  const frameworks = new Map<string, FoundFramework>()
  const manifests = own.filter(({ path, in_test }) => !in_test && findManifest(path)).slice(0, MOST_MANIFESTS)
  for (const { path } of manifests) {
    const text = readText(root, path, MOST_MANIFEST_BYTES)
    for (const found of listFrameworks(path, text ?? '', findManifest(path)!))
      if (!frameworks.has(found.name)) frameworks.set(found.name, found)
  }
  const profile = {
    digest,
    languages: listLanguages(own),
    frameworks: [...frameworks.values()],
    build_tools: listTools(paths, BUILD_TOOLS),
    package_managers: listTools(paths, PACKAGE_MANAGERS),
    architecture_patterns: listPatterns(paths),
    adrs: listAdrs(root, paths),
    conventions: measureConventions(readTexts(root, chooseConventionFiles(own), signal)),
    modules: listModules(own),
  }
  return { ...profile, tech_stack: summarizeStack(profile) }
}

function listLanguages(files: readonly SourceFile[]): ProjectProfile['languages'] {
  const all = new Map<string, ProjectProfile['languages'][number]>()
  for (const file of files) {
    if (!isProgramFile(file)) continue
    const own = all.get(file.language!) ?? { name: file.language!, files: 0, test_files: 0, bytes: 0 }
    all.set(own.name, own)
    own.files++
    own.bytes += file.size
    if (file.in_test) own.test_files++
  }
  return [...all.values()].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
}

/** Decision records with their first heading, and their status where a line begins with it. */
function listAdrs(root: string, paths: readonly string[]): ProjectProfile['adrs'] {
  return paths
    .filter(path => ADR_PATH.test(path) && !/(?:^|\/)(?:readme|index|template)\.[a-z]+$/i.test(path))
    .slice(0, MOST_ADRS)
    .map(file => {
      const lines = (readText(root, file, MOST_ADR_BYTES) ?? '').split('\n').map(line => line.slice(0, 300))
      const title = lines.find(line => /^(?:#|=)\s/.test(line))?.replace(/^[#=]\s+/, '') ?? file
      const heading = lines.findIndex(line => /^#+\s*Status\b/i.test(line))
      const below = heading === -1 ? undefined : lines.slice(heading + 1).find(line => line.trim() !== '')
      const status = below ?? lines.find(line => /^[*\-\s]*\**Status\**\s*:/i.test(line))?.replace(/^.*?:[*\s]*/, '')
      return { file, title: title.trim(), ...(status && { status: status.trim() }) }
    })
}

function listModules(files: readonly SourceFile[]): ProjectModule[] {
  const all = new Map<string, { files: number; source: number; test: number; languages: Map<string, number> }>()
  for (const file of files) {
    const directory = moduleOf(file.path)
    const own = all.get(directory) ?? { files: 0, source: 0, test: 0, languages: new Map<string, number>() }
    all.set(directory, own)
    own.files++
    if (!isProgramFile(file)) continue
    if (file.in_test) own.test++
    else own.source++
    own.languages.set(file.language!, (own.languages.get(file.language!) ?? 0) + 1)
  }
  return [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MOST_MODULES)
    .map(([directory, { files, source, test, languages }]) => ({
      directory,
      purpose: findPurpose(directory),
      files,
      source_files: source,
      test_files: test,
      languages: [...languages].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name),
    }))
}

/** The first two directories of a path; `.` for a file at the root. */
export function moduleOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, 2).join('/') || '.'
}

/** By the last part of a directory whose name says what it is for. */
function findPurpose(directory: string): string {
  if (directory === '.') return 'root of the repository'
  for (const part of directory.split('/').reverse()) {
    const found = PURPOSES.find(({ names }) => names.includes(part.toLowerCase()))
    if (found) return found.purpose
  }
  return 'not told by its name'
}

function summarizeStack(profile: Omit<ProjectProfile, 'tech_stack'>): Record<string, string[]> {
  const stack: Record<string, string[]> = { languages: profile.languages.map(({ name }) => name) }
  for (const { name, kind } of profile.frameworks) stack[kind] = [...(stack[kind] ?? []), name]
  stack.build_tools = profile.build_tools.map(({ name }) => name)
  stack.package_managers = profile.package_managers.map(({ name }) => name)
  return stack
}

function readText(root: string, path: string, most: number): string | undefined {
  const content = readRegular(join(root, path), most)
  return content instanceof Uint8Array ? new TextDecoder().decode(content) : undefined
}
