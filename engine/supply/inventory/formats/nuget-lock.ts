import { type Edge, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { readIntegrity } from '../resolved.ts'
import { findKeyLines, findLine, readJson } from '../syntax/json.ts'
import { asFields, asText, requireFields, requireTable } from '../syntax/shape.ts'

/** Reads packages.lock.json: per target framework, the packages with what they depend on. */
export function parse(text: string, file: string): Parsed {
  const lock = requireFields(readJson(text), 'the lock file')
  if (lock.dependencies === undefined) throw new ManifestFault('packages.lock.json has no dependencies')
  const lines = findKeyLines(text, 3)
  const entries: Entry[] = []
  const direct: Edge[] = []
  for (const [framework, packages] of requireTable(lock.dependencies, 'dependencies')) {
    const table = requireTable(packages, framework)
    const keys = new Map(table.map(([name]) => [name.toLowerCase(), `${framework}/${name}`]))
    for (const [name, fields] of table) {
      const key = `${framework}/${name}`
      const edges = Object.keys(asFields(fields.dependencies)).flatMap(to => ({ to: keys.get(to.toLowerCase()) ?? '' }))
      if (fields.type === 'Project') {
        // What a project of the solution needs is needed here.
        direct.push(...edges)
        continue
      }
      const hash = asText(fields.contentHash)
      entries.push({
        ...{
          key,
          name,
          version: asText(fields.resolved),
          line: findLine(lines, 'dependencies', framework, name),
          edges,
        },
        hashes: readIntegrity(hash === undefined ? undefined : `sha512-${hash}`),
      })
      if (fields.type === 'Direct') direct.push({ to: key })
    }
  }
  return { entries, projects: [{ directory: directoryOf(file), edges: direct }] }
}

/** Reads *.deps.json, which a build writes: targets with edges, libraries with hashes. */
export function parseDeps(text: string, file: string): Parsed {
  const deps = requireFields(readJson(text), 'the file')
  const lines = findKeyLines(text, 2)
  const target = asText(asFields(deps.runtimeTarget).name) ?? Object.keys(asFields(deps.targets))[0] ?? ''
  const targets = requireTable(asFields(deps.targets)[target], 'targets')
  const libraries = new Map(requireTable(deps.libraries, 'libraries'))
  const keyOf = (name: string, version: unknown) => `${name}/${asText(version) ?? ''}`
  const entries: Entry[] = []
  const direct: Edge[] = []
  for (const [key, fields] of targets) {
    const [name = key, version] = key.split('/')
    const library = libraries.get(key) ?? {}
    const edges = Object.entries(asFields(fields.dependencies)).map(([to, range]) => ({ to: keyOf(to, range) }))
    if (library.type === 'project') direct.push(...edges)
    else
      entries.push({
        ...{ key, name, version, line: findLine(lines, 'libraries', key), edges },
        hashes: readIntegrity(asText(library.sha512)?.replace(/^(?!sha512-)/, 'sha512-')),
      })
  }
  return { entries, projects: [{ directory: joinPath(directoryOf(file), '.'), edges: direct }] }
}
