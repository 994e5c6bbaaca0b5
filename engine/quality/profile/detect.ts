import { FRAMEWORKS, type Framework } from '../../base/technologies/frameworks.ts'
import { type FileMark, MANIFESTS, type Manifest, PATTERNS } from './file-marks.ts'

/** Where a fact comes from. */
export interface Source {
  file: string
  line?: number
}

export interface FoundFramework {
  name: string
  kind: Framework['kind']
  source: Source
}

export interface FoundPattern {
  name: string
  /** Directories that show it. */
  evidence: string[]
}

/** Words of a manifest's line: names of dependencies are among them. */
const WORDS = /([@A-Za-z][\w./@-]*)/g
/** Keys of JSON: a command in `scripts` names a package, too. */
const KEYS = /"([@A-Za-z][\w./@-]{0,200})"\s{0,4}:/g
const LINE = 500

/** The ecosystem of a manifest by its name; undefined for other files. */
export function findManifest(path: string): Manifest | undefined {
  const base = path.slice(path.lastIndexOf('/') + 1)
  return MANIFESTS.find(({ files }) => files.test(base))
}

/** The frameworks whose packages a manifest names, each with its first line. */
export function listFrameworks(file: string, text: string, { ecosystem }: Manifest): FoundFramework[] {
  const known = new Map(
    FRAMEWORKS.filter(each => each.ecosystem === ecosystem).flatMap(framework =>
      framework.packages.map(name => [name, framework] as const),
    ),
  )
  const found = new Map<string, FoundFramework>()
  const isJson = file.endsWith('.json') || ecosystem === 'npm' || ecosystem === 'php'
  for (const [index, line] of text.split('\n').entries()) {
    for (const [, word] of line.slice(0, LINE).matchAll(isJson ? KEYS : WORDS)) {
      const framework = known.get(word!.toLowerCase().replace(/[.]+$/, ''))
      if (!framework || found.has(framework.name)) continue
      found.set(framework.name, { name: framework.name, kind: framework.kind, source: { file, line: index + 1 } })
    }
  }
  return [...found.values()]
}

/** The tools whose files are listed, each with the file nearest to the root. */
export function listTools(paths: readonly string[], marks: readonly FileMark[]): { name: string; source: Source }[] {
  const byDepth = [...paths].sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
  return marks.flatMap(({ name, files }) => {
    const file = byDepth.find(path => files.test(path.slice(path.lastIndexOf('/') + 1)))
    return file === undefined ? [] : [{ name, source: { file } }]
  })
}

/** The patterns whose directories stand together below one parent, each with the parent nearest to the root. */
export function listPatterns(paths: readonly string[]): FoundPattern[] {
  const children = new Map<string, Set<string>>()
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1)
    for (let at = 0; at < parts.length && at < 12; at++) {
      const parent = parts.slice(0, at).join('/')
      const names = children.get(parent) ?? new Set()
      children.set(parent, names.add(parts[at]!))
    }
  }
  const parents = [...children.keys()].sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
  return PATTERNS.flatMap(({ name, directories, least }) => {
    for (const parent of parents) {
      const present = directories.filter(each => children.get(parent)!.has(each))
      if (present.length < least) continue
      return [{ name, evidence: present.map(each => (parent === '' ? each : `${parent}/${each}`)) }]
    }
    return []
  })
}

function depthOf(path: string): number {
  return path === '' ? 0 : path.split('/').length
}
