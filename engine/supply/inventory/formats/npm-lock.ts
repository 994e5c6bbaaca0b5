import type { Scope } from '../component.ts'
import { type Edge, type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf, joinPath, LONGEST_PATH } from '../paths.ts'
import { formatVcs, isLocalPath, readIntegrity } from '../resolved.ts'
import { findKeyLines, findLine, type KeyLines, readJson } from '../syntax/json.ts'
import { asFields, asText, type Fields, isFields, requireFields, requireTable } from '../syntax/shape.ts'

const MODULES = 'node_modules/'

/** Reads package-lock.json and npm-shrinkwrap.json of lockfileVersion 1 to 3. */
export function parse(text: string, file: string): Parsed {
  const lock = requireFields(readJson(text), 'the lock file')
  if (lock.packages !== undefined) return readPackages(lock, text, directoryOf(file))
  return readTree(lock, text)
}

/** Versions 2 and 3: all packages by the path that they are installed in. */
function readPackages(lock: Fields, text: string, base: string): Parsed {
  const lines = findKeyLines(text, 2)
  const packages = new Map(requireTable(lock.packages, 'packages'))
  const parsed: Required<Pick<Parsed, 'entries' | 'projects' | 'faults'>> = { entries: [], projects: [], faults: [] }
  for (const [path, fields] of packages) {
    if (fields.link === true) continue
    const line = findLine(lines, 'packages', path)
    if (path.length > LONGEST_PATH) throw new ManifestFault(`a path is longer than ${LONGEST_PATH} characters`, line)
    const at = path.lastIndexOf(MODULES)
    const installed = at === -1 ? undefined : path.slice(at + MODULES.length)
    if (installed === undefined) {
      parsed.projects.push(readProject(path, fields, packages, base, line))
      continue
    }
    const name = asText(fields.name) ?? installed
    const edges = listEdges(path, fields, packages)
    parsed.entries.push({ key: path, name, ...readSource(fields), scope: readScope(fields), line, edges })
  }
  return parsed
}

function readProject(
  path: string,
  fields: Fields,
  packages: ReadonlyMap<string, Fields>,
  base: string,
  line: number | undefined,
): ParsedProject {
  const edges: Edge[] = listEdges(path, fields, packages)
  for (const name of Object.keys(asFields(fields.devDependencies))) {
    const to = resolvePath(path, name, packages)
    if (to !== undefined) edges.push({ to, scope: 'development' })
  }
  return {
    ...{ key: path, directory: joinPath(base, path), edges, line },
    ...{ name: asText(fields.name), version: asText(fields.version), license: readLicense(fields.license) },
  }
}

/** What a package needs, each resolved as Node does: the nearest node_modules above it that has the name. */
function listEdges(path: string, fields: Fields, packages: ReadonlyMap<string, Fields>): Edge[] {
  const edges: Edge[] = []
  const optionalPeers = asFields(fields.peerDependenciesMeta)
  const add = (names: readonly string[], kind?: Edge['kind']) => {
    for (const name of names) {
      const to = resolvePath(path, name, packages)
      if (to !== undefined) edges.push(kind === undefined ? { to } : { to, kind })
    }
  }
  const optional = asFields(fields.optionalDependencies)
  add(Object.keys(asFields(fields.dependencies)).filter(name => !Object.hasOwn(optional, name)))
  add(Object.keys(optional), 'optional')
  for (const name of Object.keys(asFields(fields.peerDependencies))) {
    const to = resolvePath(path, name, packages)
    if (to !== undefined)
      edges.push({ to, kind: asFields(optionalPeers[name]).optional === true ? 'optional' : 'peer' })
  }
  return edges
}

function resolvePath(from: string, name: string, packages: ReadonlyMap<string, Fields>): string | undefined {
  for (let at = from; ; ) {
    const path = at === '' ? `${MODULES}${name}` : `${at}/${MODULES}${name}`
    const found = packages.get(path)
    if (found !== undefined) return found.link === true ? readLink(found, packages) : path
    if (at === '') return undefined
    // The folder that holds the package's node_modules is the next to be asked.
    const cut = at.lastIndexOf(`/${MODULES}`)
    at = cut !== -1 ? at.slice(0, cut) : at.startsWith(MODULES) ? '' : directoryOf(at)
  }
}

function readLink(fields: Fields, packages: ReadonlyMap<string, Fields>): string | undefined {
  const target = asText(fields.resolved)?.replace(/^\.\//, '')
  return target !== undefined && packages.has(target) ? target : undefined
}

/** Version 1: a tree of dependencies, each with those that only it uses, and the names that it requires. */
function readTree(lock: Fields, text: string): Parsed {
  if (lock.dependencies === undefined && lock.lockfileVersion === undefined && asText(lock.name) === undefined)
    throw new ManifestFault('this is no lock file of npm: it has neither packages nor dependencies')
  const entries: Entry[] = []
  const lines = findKeyLines(text, 60)
  readLevel({ fields: lock, keys: lines, path: '', above: [] }, entries)
  const keys = new Set(entries.map(({ key }) => key))
  return { entries, find: ({ name, alias = name }) => (keys.has(alias) ? alias : undefined) }
}

interface Level {
  fields: Fields
  keys: KeyLines | undefined
  path: string
  /** The names that each level above can see, the innermost last. */
  above: { path: string; names: ReadonlySet<string> }[]
}

/** Levels of a tree: npm itself stays far below. */
const DEEPEST = 100

function readLevel({ fields, keys, path, above }: Level, entries: Entry[]): void {
  if (above.length > DEEPEST) throw new ManifestFault(`dependencies are nested more than ${DEEPEST} levels deep`)
  const table = requireTable(fields.dependencies, `${path === '' ? '' : `${path}: `}dependencies`)
  const scope = [...above, { path, names: new Set(table.map(([name]) => name)) }]
  for (const [alias, own] of table) {
    if (isLocalPath(asText(own.version))) continue
    const key = path === '' ? alias : `${path}/${alias}`
    const line = findLine(keys ?? { line: 0, keys: new Map() }, 'dependencies', alias)
    const inside = [...scope, { path: key, names: new Set(Object.keys(asFields(own.dependencies))) }]
    const edges = Object.keys(asFields(own.requires)).flatMap(name => {
      const at = inside.findLast(({ names }) => names.has(name))
      return at === undefined ? [] : [{ to: at.path === '' ? name : `${at.path}/${name}` }]
    })
    const renamed = /^npm:((?:@[^/]+\/)?[^@]+)@(.+)$/.exec(asText(own.version) ?? '')
    const source = renamed ? { ...readSource(own), version: renamed[2] } : readSource(own)
    entries.push({ key, name: renamed?.[1] ?? alias, ...source, scope: readScope(own), line, edges })
    if (isFields(own.dependencies))
      readLevel(
        { fields: own, keys: keys?.keys.get('dependencies')?.keys.get(alias), path: key, above: scope },
        entries,
      )
  }
}

const IS_ADDRESS = /^(git|git\+\w+|github|gitlab|bitbucket|https?|file|link|ssh):/

/** Version, hashes and origin: for what does not come from a registry, the version of version 1 is an address. */
function readSource(fields: Fields): Omit<Entry, 'key' | 'name'> {
  const version = asText(fields.version)
  const isAddress = version !== undefined && IS_ADDRESS.test(version)
  const resolved = asText(fields.resolved) ?? (isAddress ? version : undefined)
  const [, url = '', commit] =
    /^((?:git\+\w+|git|ssh|github|gitlab|bitbucket):[^#]*)#?([0-9a-f]{7,64})?$/.exec(resolved ?? '') ?? []
  return {
    ...(version !== undefined && !isAddress && { version }),
    ...(resolved !== undefined && { resolved }),
    ...(url !== '' && { vcs: formatVcs(url, commit) }),
    ...(url === '' && isAddress && /^https?:/.test(version) && { qualifiers: { download_url: version } }),
    hashes: readIntegrity(asText(fields.integrity)),
    license: readLicense(fields.license),
  }
}

/** The license as text. Old packages have objects and lists of them. */
export function readLicense(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const names = value.flatMap(each => asText(asFields(each).type) ?? asText(each) ?? [])
    return names.length > 1 ? `(${names.join(' OR ')})` : names[0]
  }
  return asText(value) ?? asText(asFields(value).type)
}

/** What npm worked out itself; counts only where no project reaches the package. */
function readScope(fields: Fields): Scope {
  if (fields.dev === true) return 'development'
  if (fields.devOptional === true || fields.optional === true) return 'optional'
  return 'production'
}
