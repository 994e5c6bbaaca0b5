import { type Edge, type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { asFields, asText, asTexts, requireFields, requireList } from '../syntax/shape.ts'
import { findTableLines, readToml } from '../syntax/toml.ts'

/** Packages of one name and version, from as many sources. */
const MOST_SAME = 100

/** Reads Cargo.lock of version 1 to 4. A package without a source is a member of the workspace. */
export function parse(text: string, file: string): Parsed {
  const lock = readToml(text)
  const lines = findTableLines(text, 'package')
  const tables = requireList(lock.package, 'package').map((each, at) => {
    const fields = requireFields(each, 'package')
    const [name, version, line] = [asText(fields.name), asText(fields.version), lines[at]]
    if (name === undefined || version === undefined)
      throw new ManifestFault('a package has no name or no version', line)
    return { fields, name, version, source: asText(fields.source), line, key: String(at) }
  })
  const byName = new Map<string, typeof tables>()
  for (const each of tables)
    for (const name of [each.name, `${each.name} ${each.version}`]) {
      const same = byName.get(name)
      if (same) same.push(each)
      else byName.set(name, [each])
    }
  // `name`, `name version` or `name version (source)`: as short as it is clear.
  const resolve = (reference: string): Edge[] => {
    const [name = '', version, source] = reference.split(' ')
    const found = (byName.get(version === undefined ? name : `${name} ${version}`) ?? [])
      .slice(0, MOST_SAME)
      .find(each => source === undefined || `(${each.source})` === source)
    return found === undefined ? [] : [{ to: found.key }]
  }
  const checksums = asFields(lock.metadata)
  const entries: Entry[] = []
  const projects: ParsedProject[] = []
  for (const { fields, name, version, source, line, key } of tables) {
    const edges = asTexts(fields.dependencies).flatMap(resolve)
    const [, url, commit] = /^git\+([^?#]+)[^#]*(?:#([0-9a-f]+))?$/.exec(source ?? '') ?? []
    const checksum = fields.checksum ?? checksums[`checksum ${name} ${version} (${source})`]
    if (source === undefined)
      projects.push({
        key,
        directory: directoryOf(file),
        byName: true,
        name,
        version,
        line,
        edges: edges.map(edge => ({ ...edge, scope: 'unknown' })),
      })
    else
      entries.push({
        key,
        name,
        version,
        line,
        resolved: source,
        hashes: readDigest(checksum, 'sha256'),
        edges,
        ...(url && { vcs: formatVcs(url, commit) }),
      })
  }
  return { entries, projects }
}
