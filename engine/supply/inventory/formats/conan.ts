import type { Scope } from '../component.ts'
import { type Declaration, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { readJson } from '../syntax/json.ts'
import { LineSearch, splitLines } from '../syntax/lines.ts'
import { asFields, asText, asTexts, requireFields, requireTable } from '../syntax/shape.ts'

const LISTS: readonly [string, Scope][] = [
  ['requires', 'production'],
  ['build_requires', 'development'],
  ['python_requires', 'development'],
]

/** Reads conan.lock of Conan 1 (a graph) and 2 (lists), and conanfile.txt. References: `name/version@user/channel#revision`. */
export function parse(text: string, file: string): Parsed {
  if (file.endsWith('.txt')) return readManifest(text, directoryOf(file))
  const lock = requireFields(readJson(text), 'conan.lock')
  const lines = new Map<string, number>()
  for (const [at, line] of splitLines(text).entries())
    for (const [, reference] of line.matchAll(/"([^"\s/]+\/[^"\s]+)"/g))
      if (!lines.has(reference!)) lines.set(reference!, at + 1)
  if (lock.graph_lock !== undefined)
    return readGraph(requireTable(requireFields(lock.graph_lock, 'graph_lock').nodes, 'nodes'), lines)
  const entries = LISTS.flatMap(([list, scope]) =>
    asTexts(lock[list] ?? []).map(
      (reference): Entry => ({
        key: `${list}/${reference}`,
        ...readReference(reference),
        scope,
        line: lines.get(reference),
      }),
    ),
  )
  return { entries }
}

function readGraph(nodes: [string, Record<string, unknown>][], lines: ReadonlyMap<string, number>): Parsed {
  const entries: Entry[] = []
  for (const [key, fields] of nodes) {
    const reference = asText(fields.ref) ?? asText(fields.pref)?.replace(/:.*$/, '')
    // The project itself has a path, and often no name.
    if (reference === undefined || fields.path !== undefined || !/^[^/]+\/[^/]+/.test(reference)) continue
    const scope = fields.context === 'build' ? 'development' : 'production'
    const edges = [...asTexts(fields.requires ?? []), ...asTexts(fields.build_requires ?? [])].map(to => ({ to }))
    const line = lines.get(asText(fields.ref) ?? '') ?? lines.get(asText(fields.pref) ?? '')
    entries.push({ key, ...readReference(reference), scope, line, edges })
  }
  return { entries }
}

function readReference(reference: string): Pick<Entry, 'name' | 'version' | 'qualifiers'> {
  const [, name = reference, version, user, channel] =
    /^([^/]+)\/([^@#%]+)(?:@([^/#]+)\/([^#%]+))?/.exec(reference) ?? []
  if (version === undefined) throw new ManifestFault(`${JSON.stringify(reference)} must have the form name/version`)
  return {
    name,
    version,
    ...(user !== undefined && user !== '_' && channel !== undefined && { qualifiers: { user, channel } }),
  }
}

function readManifest(text: string, directory: string): Parsed {
  const declares: Declaration[] = []
  let section = ''
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.replace(/#(?!\w{8,}).*$/, '').trim()
    const [, header] = /^\[(\w+)\]$/.exec(line) ?? []
    if (header !== undefined) section = header
    const scope = LISTS.find(
      ([name]) => name === section || (name === 'build_requires' && section === 'tool_requires'),
    )?.[1]
    if (header !== undefined || line === '' || scope === undefined) continue
    const [, name = line, requirement] = /^([^/]+)\/([^@#]+)/.exec(line) ?? []
    const isRange = requirement === undefined || requirement.startsWith('[')
    declares.push({
      name,
      scope,
      line: at + 1,
      ...(requirement !== undefined && { requirement }),
      ...(!isRange && { version: requirement }),
    })
  }
  return { projects: [{ directory, declares }] }
}

/** Reads vcpkg.json; the versions are those of the baseline, apart from overrides. */
export function parseVcpkg(text: string, file: string): Parsed {
  const manifest = requireFields(readJson(text), 'vcpkg.json')
  const overrides = new Map(
    (Array.isArray(manifest.overrides) ? manifest.overrides : []).map(each => [
      asText(asFields(each).name),
      asText(asFields(each).version),
    ]),
  )
  const lines = new LineSearch(text)
  lines.find(line => line.includes('"dependencies"'))
  const list = Array.isArray(manifest.dependencies) ? (manifest.dependencies as unknown[]) : []
  const declares = list.flatMap((each): Declaration[] => {
    const name = asText(each) ?? asText(asFields(each).name)
    if (name === undefined) return []
    const [version, least] = [overrides.get(name), asText(asFields(each)['version>='])]
    const line = lines.find(each => each.includes(`"${name}"`))
    return [
      {
        name,
        scope: asFields(each).host === true ? 'development' : 'production',
        line,
        ...(version !== undefined && { version }),
        ...(least !== undefined && { requirement: `>=${least}` }),
      },
    ]
  })
  const version = asText(manifest.version) ?? asText(manifest['version-string']) ?? asText(manifest['version-semver'])
  return {
    projects: [
      {
        directory: directoryOf(file),
        name: asText(manifest.name),
        version,
        license: asText(manifest.license),
        declares,
      },
    ],
  }
}
