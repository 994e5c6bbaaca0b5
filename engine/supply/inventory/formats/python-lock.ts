import type { Hash, Scope } from '../component.ts'
import { type Edge, type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { readPep508 } from '../pep508.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { asFields, asList, asText, asTexts, type Fields, requireFields, requireList } from '../syntax/shape.ts'
import { findTableLines, readToml } from '../syntax/toml.ts'

/** Packages of one name, for as many platforms: each that needs one needs all of them. */
const MOST_SAME = 50

/** Reads poetry.lock, pdm.lock, uv.lock and pylock.toml (PEP 751): arrays of packages, each with other fields for the same facts. */
export function parse(text: string, file: string): Parsed {
  const lock = readToml(text)
  const [list, header] = lock.packages === undefined ? [lock.package, 'package'] : [lock.packages, 'packages']
  const lines = findTableLines(text, header)
  const tables = requireList(list, header)
  // A header inside a text of several lines would shift all lines after it.
  const lineOf = (at: number) => (lines.length === tables.length ? lines[at] : undefined)
  const packages = tables.map((each, at) => {
    const fields = requireFields(each, header)
    const name = asText(fields.name)
    if (name === undefined) throw new ManifestFault(`a ${header} table has no name`, lineOf(at))
    return { fields, name, key: `${at}`, line: lineOf(at) }
  })
  const index = new Map<string, Package[]>()
  for (const each of packages)
    for (const name of [normalize(each.name), `${normalize(each.name)} ${asText(each.fields.version)}`]) {
      const same = index.get(name)
      if (same === undefined) index.set(name, [each])
      else if (same.length < MOST_SAME) same.push(each)
      else throw new ManifestFault(`${each.name} is listed more than ${MOST_SAME} times`, each.line)
    }
  const parsed: Parsed & { entries: Entry[]; projects: ParsedProject[] } = { entries: [], projects: [] }
  for (const each of packages) {
    const { fields, name, key, line } = each
    const source = asFields(fields.source)
    // uv, pylock, pdm and poetry say it each in their own way.
    const local =
      asText(source.editable) ??
      asText(source.virtual) ??
      asText(source.directory) ??
      asText(asFields(fields.directory).path) ??
      asText(fields.path) ??
      (source.type === 'directory' ? asText(source.url) : undefined)
    const version = asText(fields.version)
    if (local !== undefined) {
      const edges = [...listEdges(fields.dependencies, index), ...listGroups(fields, index)]
      parsed.projects.push({ key, directory: joinPath(directoryOf(file), local), name, version, line, edges })
      continue
    }
    const hashes = readHashes(fields, asFields(asFields(lock.metadata).files)[name])
    const edges = listEdges(fields.dependencies, index)
    parsed.entries.push({
      ...{ key, name, version, line, hashes, edges },
      ...readOrigin(fields, source),
      ...readScope(fields),
    })
  }
  return parsed
}

interface Package {
  fields: Fields
  name: string
  key: string
  line: number | undefined
}

/** The dependencies of a package: a table by name (poetry), texts (pdm), or tables with a name and a version (uv, pylock). */
function listEdges(value: unknown, index: ReadonlyMap<string, Package[]>): Edge[] {
  const named = Array.isArray(value)
    ? value.flatMap(each => {
        const name = typeof each === 'string' ? readPep508(each)?.name : asText(asFields(each).name)
        return name === undefined ? [] : [{ name, version: asText(asFields(each).version), optional: false }]
      })
    : Object.entries(asFields(value)).map(([name, each]) => ({
        name,
        version: undefined,
        optional: asFields(each).optional === true,
      }))
  return named.flatMap(({ name, version, optional }) => {
    // Several versions of one name hold for other platforms each: all of them are needed.
    const chosen = index.get(version === undefined ? normalize(name) : `${normalize(name)} ${version}`) ?? []
    return chosen.map(({ key }): Edge => (optional ? { to: key, kind: 'optional' } : { to: key }))
  })
}

function listGroups(fields: Fields, index: ReadonlyMap<string, Package[]>): Edge[] {
  const optional = Object.values(asFields(fields['optional-dependencies'])).flatMap(list => listEdges(list, index))
  const groups = Object.entries(asFields(fields['dev-dependencies'])).flatMap(([group, list]) =>
    listEdges(list, index).map(edge => ({ ...edge, scope: scopeOfGroup(group) })),
  )
  return [...optional.map(edge => ({ ...edge, kind: 'optional' as const })), ...groups]
}

/** The scope of a dependency group by its name. */
export function scopeOfGroup(group: string): Scope {
  if (/^(main|default)$/.test(group)) return 'production'
  return /^tests?(ing)?$/.test(group) ? 'test' : 'development'
}

function readScope(fields: Fields): { scope?: Scope } {
  const groups = [...asTexts(fields.groups), ...(fields.category === undefined ? [] : asTexts(fields.category))]
  if (groups.length === 0) return fields.optional === true ? { scope: 'optional' } : {}
  if (groups.some(group => scopeOfGroup(group) === 'production'))
    return { scope: fields.optional === true ? 'optional' : 'production' }
  return { scope: groups.every(group => scopeOfGroup(group) === 'test') ? 'test' : 'development' }
}

function readHashes(fields: Fields, older: unknown): Hash[] {
  const files = [...asList(fields.files), ...asList(fields.wheels), ...asList(older), fields.sdist, fields.archive]
  const found = files.flatMap(each => {
    const { hash, hashes } = asFields(each)
    return [
      ...readDigest(hash),
      ...Object.entries(asFields(hashes)).flatMap(([name, value]) => readDigest(value, name)),
    ]
  })
  return [...new Map(found.map(each => [each.value, each])).values()]
}

function readOrigin(fields: Fields, source: Fields): Partial<Entry> {
  const vcs = asFields(fields.vcs)
  const git =
    asText(source.git) ??
    asText(vcs.url) ??
    asText(fields.git) ??
    (source.type === 'git' ? asText(source.url) : undefined)
  if (git !== undefined) {
    const commit =
      asText(source.resolved_reference) ??
      asText(vcs['commit-id']) ??
      asText(fields.revision) ??
      /#([0-9a-f]{7,})$/.exec(git)?.[1]
    return { resolved: git, vcs: formatVcs(git.replace(/[?#].*$/, ''), commit) }
  }
  const address = asText(source.url) ?? asText(asFields(fields.archive).url) ?? asText(fields.url)
  const isArchive = address !== undefined && source.type !== 'legacy' && !/\/simple\/?$/.test(address)
  if (isArchive) return { resolved: address, qualifiers: { download_url: address } }
  const index = address ?? asText(source.registry) ?? asText(fields.index)
  return index === undefined ? {} : { resolved: index }
}

const normalize = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-')
