import { type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'
import { asFields, asText, asTexts, isFields, requireFields, requireList } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'

/** Reads Podfile.lock. `Pod/Subspec` is a part of the pod, which is the component. */
export function parse(text: string, file: string): Parsed {
  const lock = requireFields(readYaml(text)[0], 'Podfile.lock')
  if (lock.COCOAPODS === undefined && lock.PODS === undefined && lock['PODFILE CHECKSUM'] === undefined)
    throw new ManifestFault('it has neither PODS nor COCOAPODS: this is no Podfile.lock')
  const lines = new Map<string, number>()
  for (const [at, line] of splitLines(text).entries()) {
    const name = /^ {2}- "?([^\s"(]+)/.exec(line)?.[1]
    if (name !== undefined && !lines.has(rootOf(name))) lines.set(rootOf(name), at + 1)
  }
  const checksums = asFields(lock['SPEC CHECKSUMS'])
  const checkouts = asFields(lock['CHECKOUT OPTIONS'])
  // A pod of this repository has a path.
  const external = asFields(lock['EXTERNAL SOURCES'])
  const entries = new Map<string, Entry>()
  const needed = new Map<string, Set<string>>()
  for (const each of requireList(lock.PODS, 'PODS')) {
    const spec = isFields(each) ? Object.keys(each)[0]! : (asText(each) ?? '')
    const [, full, version] = /^(\S+) \(([^)]+)\)$/.exec(spec) ?? []
    if (full === undefined) throw new ManifestFault(`PODS: ${JSON.stringify(spec)} must have the form name (version)`)
    const name = rootOf(full)
    if (asText(asFields(external[name])[':path']) !== undefined) continue
    const checkout = asFields(checkouts[name])
    const git = asText(checkout[':git'])
    const hashes = readDigest(checksums[name], 'sha1')
    if (!entries.has(name))
      entries.set(name, {
        key: name,
        name,
        version,
        line: lines.get(name),
        hashes,
        ...(git !== undefined && { resolved: git }),
      })
    const list = needed.get(name) ?? new Set()
    for (const to of isFields(each) ? asTexts(each[spec]) : []) list.add(rootOf(to.replace(/ .*$/, '')))
    needed.set(name, list)
  }
  for (const [name, entry] of entries)
    entry.edges = [...needed.get(name)!].flatMap(to => (to !== name && entries.has(to) ? [{ to }] : []))
  const direct = new Set(asTexts(lock.DEPENDENCIES).map(each => rootOf(each.replace(/ .*$/, ''))))
  const edges = [...direct].flatMap(to => (entries.has(to) ? [{ to, scope: 'unknown' as const }] : []))
  return { entries: [...entries.values()], projects: [{ directory: directoryOf(file), edges }] }
}

function rootOf(name: string): string {
  return name.split('/')[0]!
}
