import type { Scope } from '../component.ts'
import { type Edge, type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs, readIntegrity } from '../resolved.ts'
import { asFields, asText, type Fields, isFields, requireFields, requireTable } from '../syntax/shape.ts'
import { findYamlKeys, readYaml } from '../syntax/yaml.ts'

const GROUPS: readonly [string, Scope, Edge['kind']?][] = [
  ['dependencies', 'production'],
  ['optionalDependencies', 'production', 'optional'],
  ['devDependencies', 'development'],
]

/** Reads pnpm-lock.yaml of lockfileVersion 5 to 9. Version 9 has what a package needs in `snapshots`; before, it is in `packages`. */
export function parse(text: string, file: string): Parsed {
  const documents = readYaml(text).filter(each => each !== null && each !== undefined)
  const parsed: Parsed & { entries: Entry[]; projects: ParsedProject[]; faults: ManifestFault[] } = {
    entries: [],
    projects: [],
    faults: [],
  }
  if (documents.length === 0) return parsed
  // Newer versions write an environment's lock before the project's, as a document of its own.
  for (const document of documents)
    readDocument(requireFields(document, 'the lock file'), text, directoryOf(file), parsed)
  return parsed
}

function readDocument(
  lock: Fields,
  text: string,
  base: string,
  into: { entries: Entry[]; projects: ParsedProject[]; faults: ManifestFault[] },
): void {
  const lockVersion = Number.parseFloat(asText(lock.lockfileVersion) ?? '')
  if (!(lockVersion >= 5 && lockVersion < 10))
    throw new ManifestFault(`lockfileVersion ${asText(lock.lockfileVersion) ?? 'missing'} is not one of 5 to 9`)
  const lines = findYamlKeys(text, 'packages', 2)
  const packages = new Map(requireTable(lock.packages, 'packages'))
  const snapshots = lock.snapshots === undefined ? packages : new Map(requireTable(lock.snapshots, 'snapshots'))
  const keys = new Set(snapshots.keys())
  for (const [path, snapshot] of snapshots) {
    const bare = withoutPeers(path)
    const fields = packages.get(path) ?? packages.get(bare) ?? {}
    const line = lines.get(path) ?? lines.get(bare)
    const resolution = asFields(fields.resolution)
    const identity = readPath(path, fields, lockVersion)
    if (identity === undefined) {
      into.faults.push(new ManifestFault(`packages: ${JSON.stringify(path)} names no package with a version`, line))
      continue
    }
    if (resolution.type === 'directory') continue
    const tarball = asText(resolution.tarball)
    const repository = asText(resolution.repo)
    into.entries.push({
      ...{ key: path, line, ...identity },
      ...(fields.dev === true && { scope: 'development' as const }),
      ...(fields.dev === false && { scope: 'production' as const }),
      hashes: readIntegrity(asText(resolution.integrity)),
      ...(tarball !== undefined && { resolved: tarball }),
      ...(repository !== undefined && { resolved: repository, vcs: formatVcs(repository, asText(resolution.commit)) }),
      edges: [
        ...listEdges(snapshot.dependencies, keys, asFields(fields.peerDependencies)),
        ...listEdges(snapshot.optionalDependencies, keys, {}, 'optional'),
      ],
    })
  }
  const importers = requireTable(lock.importers, 'importers')
  if (importers.length === 0) importers.push(['.', lock])
  for (const [path, importer] of importers) {
    const edges = GROUPS.flatMap(([group, scope, kind]) =>
      listEdges(importer[group], keys, {}, kind, joinPath(base, path)).map(edge => ({ ...edge, scope })),
    )
    const directory = joinPath(base, path)
    into.projects.push({ key: `importer:${directory}`, directory, edges })
  }
}

function listEdges(
  table: unknown,
  keys: ReadonlySet<string>,
  peers: Fields,
  kind?: Edge['kind'],
  directory = '',
): Edge[] {
  return Object.entries(asFields(table)).flatMap(([name, value]) => {
    const version = asText(isFields(value) ? value.version : value)
    if (version === undefined) return []
    const local = /^link:(.*)$/.exec(version)?.[1]
    const candidates = [`${name}@${version}`, version, `/${name}@${version}`, `/${name}/${version}`, `/${version}`]
    const to = local === undefined ? candidates.find(each => keys.has(each)) : `importer:${joinPath(directory, local)}`
    if (to === undefined) return []
    return [{ to, ...(kind ? { kind } : Object.hasOwn(peers, name) ? { kind: 'peer' as const } : {}) }]
  })
}

/** Name and version of a path: `/name/1.0.0_peers`, `/name@1.0.0(peers)`, `name@1.0.0`, or an address with both in fields. */
function readPath(path: string, fields: Fields, lockVersion: number): Pick<Entry, 'name' | 'version'> | undefined {
  const name = asText(fields.name)
  const version = asText(fields.version)
  const bare = withoutPeers(path).replace(/^\//, '')
  if (name !== undefined) return { name, version: version ?? /[@/](\d[^@/_]*)(?:_[^/]*)?$/.exec(bare)?.[1] }
  const cut = lockVersion < 6 ? bare.lastIndexOf('/') : bare.indexOf('@', 1)
  if (cut <= 0) return undefined
  const own = bare.slice(0, cut)
  const rest = lockVersion < 6 ? bare.slice(cut + 1).replace(/_.*$/, '') : bare.slice(cut + 1)
  if (!/^(@[^/@\s]+\/)?[^/@\s]+$/.test(own)) return undefined
  if (/^\d[\w.+-]*$/.test(rest)) return { name: own, version: rest }
  return /^(https?|git|file|link|ssh)/.test(rest) ? { name: own, ...(version !== undefined && { version }) } : undefined
}

function withoutPeers(path: string): string {
  const at = path.indexOf('(')
  return at === -1 ? path : path.slice(0, at)
}
