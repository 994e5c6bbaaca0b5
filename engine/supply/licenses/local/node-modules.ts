import { asFields, asList, asText } from '../../inventory/syntax/shape.ts'
import { type LocalPackage, labelPath, listStored, type PackageStore, readLicenseFiles, readStored } from './disk.ts'

/** Directories of packages that are looked at in one `node_modules`, nested ones included. */
const MOST_PACKAGES = 200_000

/** The packages of a `node_modules` directory by `name@version`, nested ones and pnpm's store included; only those with a wanted name. */
export function indexNodeModules(store: PackageStore, wanted: ReadonlySet<string>): Map<string, LocalPackage> {
  const found = new Map<string, LocalPackage>()
  const waiting: { at: string; depth: number }[] = [{ at: '', depth: 0 }]
  let count = 0
  for (let next = waiting.pop(); next && count < MOST_PACKAGES; next = waiting.pop()) {
    for (const name of listPackages(store, next.at)) {
      if (++count > MOST_PACKAGES) break
      const directory = next.at === '' ? name : `${next.at}/${name}`
      if (wanted.has(name)) addPackage(store, directory, found)
      if (next.depth < 20) waiting.push({ at: `${directory}/node_modules`, depth: next.depth + 1 })
    }
    if (next.at === '')
      for (const entry of listStored(store, '.pnpm'))
        if (entry.endsWith('/')) waiting.push({ at: `.pnpm/${entry}node_modules`, depth: 20 })
  }
  return found
}

function listPackages(store: PackageStore, at: string): string[] {
  return listStored(store, at).flatMap(entry => {
    if (!entry.endsWith('/') || entry.startsWith('.')) return []
    const name = entry.slice(0, -1)
    if (!name.startsWith('@')) return [name]
    return listStored(store, at, name).flatMap(inner => (inner.endsWith('/') ? [`${name}/${inner.slice(0, -1)}`] : []))
  })
}

function addPackage(store: PackageStore, directory: string, found: Map<string, LocalPackage>): void {
  const text = readStored(store, directory, 'package.json')
  if (text === undefined) return
  let manifest: Record<string, unknown>
  try {
    manifest = asFields(JSON.parse(text))
  } catch {
    return
  }
  const [name, version] = [asText(manifest.name), asText(manifest.version)]
  if (name === undefined || version === undefined || found.has(`${name}@${version}`)) return
  found.set(`${name}@${version}`, {
    said: readNpmLicenses(manifest),
    list: 'or',
    from: labelPath(store, directory, 'package.json'),
    readFiles: () => readLicenseFiles(store, directory),
  })
}

/** `license` as text, as an object of before 2015, and `licenses`, a list of these: one text with all of them. */
export function readNpmLicenses(manifest: Record<string, unknown>): string[] {
  const one = (value: unknown) => asText(value) ?? asText(asFields(value).type) ?? asText(asFields(value).name)
  const listed = [manifest.license, manifest.licenses].find(value => value !== undefined)
  const said = (Array.isArray(listed) ? asList(listed) : [listed]).flatMap(value => one(value) ?? [])
  return said.length === 0 ? [] : [said.length === 1 ? said[0]! : said.map(each => `(${each})`).join(' OR ')]
}
