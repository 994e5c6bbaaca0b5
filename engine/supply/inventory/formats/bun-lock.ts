import type { Scope } from '../component.ts'
import { type Edge, type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf, joinPath, LONGEST_PATH } from '../paths.ts'
import { formatVcs, isLocalPath, readIntegrity } from '../resolved.ts'
import { findKeyLines, findLine } from '../syntax/json.ts'
import { readJsonc } from '../syntax/jsonc.ts'
import { asFields, asText, asTexts, type Fields, isFields, requireFields, requireTable } from '../syntax/shape.ts'

const GROUPS: readonly [string, Scope, Edge['kind']?][] = [
  ['dependencies', 'production'],
  ['optionalDependencies', 'production', 'optional'],
  ['peerDependencies', 'production', 'peer'],
  ['devDependencies', 'development'],
]

/** Reads bun.lock, the text form. A package is a tuple of `name@version` and, by its kind, address, fields and integrity. */
export function parse(text: string, file: string): Parsed {
  const lock = requireFields(readJsonc(text), 'the lock file')
  const lines = findKeyLines(text, 2)
  const packages = requireFields(lock.packages ?? {}, 'packages')
  const faults: ManifestFault[] = []
  const entries: Entry[] = []
  const locals = new Map<string, string>()
  const base = directoryOf(file)
  const keys = new Set(Object.keys(packages))
  for (const [key, tuple] of Object.entries(packages)) {
    const line = findLine(lines, 'packages', key)
    if (key.length > LONGEST_PATH) throw new ManifestFault(`a path is longer than ${LONGEST_PATH} characters`, line)
    const identity = Array.isArray(tuple) ? asText(tuple[0]) : undefined
    const cut = identity?.indexOf('@', 1) ?? -1
    if (identity === undefined || cut === -1 || !Array.isArray(tuple)) {
      faults.push(
        new ManifestFault(`packages: ${JSON.stringify(key)} must be a list that begins with name@version`, line),
      )
      continue
    }
    const [name, version] = [identity.slice(0, cut), identity.slice(cut + 1)]
    if (version.startsWith('workspace:')) {
      locals.set(key, joinPath(base, version.slice('workspace:'.length)))
      continue
    }
    if (isLocalPath(version)) {
      locals.set(key, joinPath(base, version.replace(/^\w+:/, '')))
      continue
    }
    const fields = tuple.find(isFields) ?? {}
    const isRelease = /^\d/.test(version)
    entries.push({
      ...{ key, name, line, edges: listPackageEdges(key, fields, keys) },
      ...(isRelease ? { version } : { resolved: version }),
      ...(/^(git|github|bitbucket|gitlab)\b/.test(version) && { vcs: formatVcs(...splitCommit(version)) }),
      hashes: readIntegrity(asText(tuple.at(-1))),
    })
  }
  const keyByDirectory = new Map([...locals].reverse().map(([key, local]) => [local, key]))
  const projects = requireTable(lock.workspaces, 'workspaces').map(([path, fields]): ParsedProject => {
    const directory = joinPath(base, path)
    const keyed = keyByDirectory.get(directory)
    const edges = GROUPS.flatMap(([group, scope, kind]) =>
      Object.keys(asFields(fields[group])).flatMap(name => {
        const to = resolveKey(asText(fields.name) ?? '', name, keys)
        return to === undefined ? [] : [{ to, scope, ...(kind && { kind }) }]
      }),
    )
    const identity = { name: asText(fields.name), version: asText(fields.version) }
    return { directory, edges, ...identity, ...(keyed !== undefined && { key: keyed }) }
  })
  return { entries, projects, faults }
}

function listPackageEdges(key: string, fields: Fields, keys: ReadonlySet<string>): Edge[] {
  const optionalPeers = new Set(asTexts(fields.optionalPeers))
  return GROUPS.slice(0, 3).flatMap(([group, , kind]) =>
    Object.keys(asFields(fields[group])).flatMap(name => {
      const to = resolveKey(key, name, keys)
      if (to === undefined) return []
      const effective = optionalPeers.has(name) ? ('optional' as const) : kind
      return [{ to, ...(effective && { kind: effective }) }]
    }),
  )
}

/** Keys are paths of names: `chalk/supports-color` is what only chalk sees. */
function resolveKey(from: string, name: string, keys: ReadonlySet<string>): string | undefined {
  for (let at = from; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const nested = `${at}/${name}`
    if (keys.has(nested)) return nested
  }
  return keys.has(name) ? name : undefined
}

function splitCommit(version: string): [string, string | undefined] {
  const url = version.replace(/^github:/, 'https://github.com/')
  return [url, /#([0-9a-f]{7,64})$/.exec(version)?.[1]]
}
