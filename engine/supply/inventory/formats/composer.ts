import type { Hash, Scope } from '../component.ts'
import { type Declaration, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { findKeyLines, findLine, readJson } from '../syntax/json.ts'
import { asFields, asText, asTexts, requireFields, requireList } from '../syntax/shape.ts'

/** Names that stand for PHP itself and its extensions. */
const isPlatform = (name: string) => /^(php(-\w+)?|hhvm|ext-.*|lib-.*|composer(-\w+)*)$/.test(name)

/** Reads composer.lock and composer.json, told apart by what they have. */
export function parse(text: string, file: string): Parsed {
  const content = requireFields(readJson(text), file)
  return file.endsWith('.lock') ? readLock(text, content) : readManifest(text, content, directoryOf(file))
}

function readLock(text: string, lock: Record<string, unknown>): Parsed {
  const lines = findKeyLines(text, 3)
  const entries: Entry[] = []
  const wanted = new Map<string, string>()
  for (const [list, scope] of [
    ['packages', 'production'],
    ['packages-dev', 'development'],
  ] as const)
    for (const [at, each] of requireList(lock[list], list).entries()) {
      const fields = requireFields(each, list)
      const line = findLine(lines, list, String(at), 'name')
      const name = asText(fields.name)
      if (name === undefined) throw new ManifestFault(`a package of ${list} has no name`, line)
      const [source, dist] = [asFields(fields.source), asFields(fields.dist)]
      // A directory of this repository, which composer links.
      if (dist.type === 'path') continue
      const version = asText(fields.version)?.replace(/^v(?=\d)/, '')
      const resolved = asText(dist.url) ?? asText(source.url)
      const isDev = version?.startsWith('dev-') && asText(source.url) !== undefined
      const shasum: Hash[] = readDigest(dist.shasum, 'sha1')
      entries.push({
        ...{
          key: name.toLowerCase(),
          name,
          version,
          scope,
          line,
          hashes: shasum,
          license: readLicenses(fields.license),
        },
        ...(resolved !== undefined && { resolved }),
        ...(isDev && { vcs: formatVcs(asText(source.url)!, asText(source.reference)) }),
        edges: Object.keys(asFields(fields.require)).flatMap(to => (isPlatform(to) ? [] : [{ to: to.toLowerCase() }])),
      })
      for (const other of [...Object.keys(asFields(fields.replace)), ...Object.keys(asFields(fields.provide))])
        wanted.set(other.toLowerCase(), name.toLowerCase())
    }
  const known = new Set(entries.map(({ key }) => key))
  for (const entry of entries)
    entry.edges = entry.edges!.flatMap(({ to }) =>
      known.has(to) ? [{ to }] : wanted.has(to) ? [{ to: wanted.get(to)! }] : [],
    )
  return { entries }
}

function readLicenses(value: unknown): string | undefined {
  const names = asTexts(value)
  return names.length > 1 ? `(${names.join(' OR ')})` : names[0]
}

function readManifest(text: string, manifest: Record<string, unknown>, directory: string): Parsed {
  const lines = findKeyLines(text, 2)
  const read = (field: string, scope: Scope): Declaration[] =>
    Object.entries(requireFields(isEmptyList(manifest[field]) ? {} : (manifest[field] ?? {}), field)).flatMap(
      ([name, range]) => {
        if (isPlatform(name)) return []
        const requirement = asText(range)
        const version = /^v?(\d+(?:\.\d+){1,3}(?:-\w[\w.]*)?)$/.exec(requirement ?? '')?.[1]
        return [
          {
            name,
            scope,
            line: findLine(lines, field, name),
            ...(requirement && { requirement }),
            ...(version && { version }),
          },
        ]
      },
    )
  const declares = [...read('require', 'production'), ...read('require-dev', 'development')]
  const identity = {
    name: asText(manifest.name),
    version: asText(manifest.version),
    license: readLicenses(manifest.license),
  }
  return { projects: [{ directory, ...identity, declares }] }
}

/** PHP writes a map without entries as a list. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
