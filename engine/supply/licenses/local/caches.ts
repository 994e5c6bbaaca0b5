import { asFields, asText, asTexts } from '../../inventory/syntax/shape.ts'
import { readToml } from '../../inventory/syntax/toml.ts'
import { findChild, listItems, readChild, readXml, type XmlElement } from '../../inventory/syntax/xml.ts'
import { type LocalPackage, labelPath, listStored, type PackageStore, readLicenseFiles, readStored } from './disk.ts'

/** Finds a package in a store by its name and version; undefined where it is not there. */
export type FindInStore = (store: PackageStore, name: string, version: string) => LocalPackage | undefined

function makePackage(
  store: PackageStore,
  directory: string,
  file: string,
  said: string[],
  more: string[] = [],
): LocalPackage {
  return {
    said,
    list: 'or',
    from: labelPath(store, directory, file),
    readFiles: () => readLicenseFiles(store, directory, more),
  }
}

function existsIn(store: PackageStore, directory: string): boolean {
  return listStored(store, directory).length > 0
}

/** Go's module cache: capital letters are written with an exclamation mark. Modules say nothing but their license file. */
export const findGoModule: FindInStore = (store, name, version) => {
  const escapeCapitals = (text: string) => text.replace(/[A-Z]/g, letter => `!${letter.toLowerCase()}`)
  const directory = `${escapeCapitals(name)}@${escapeCapitals(version.startsWith('v') ? version : `v${version}`)}`
  return existsIn(store, directory) ? makePackage(store, directory, '', []) : undefined
}

/** A `vendor` directory of Go, or any other where a package is a directory of its name. */
export const findByDirectory: FindInStore = (store, name) =>
  existsIn(store, name) ? makePackage(store, name, '', []) : undefined

/** A directory of unpacked crates: Cargo's `registry/src/<host>`, or what `cargo vendor` writes. */
export const findCrate: FindInStore = (store, name, version) => {
  for (const directory of [`${name}-${version}`, name]) {
    const text = readStored(store, directory, 'Cargo.toml')
    if (text === undefined) continue
    const own = asFields(readFields(() => readToml(text)).package)
    if (asText(own.version) !== version) continue
    const [license, file] = [asText(own.license), asText(own['license-file'])]
    return makePackage(
      store,
      directory,
      'Cargo.toml',
      license === undefined ? [] : [license],
      file === undefined ? [] : [file],
    )
  }
  return undefined
}

/** A directory of RubyGems: what a specification says, and the gem's files. */
export const findGem: FindInStore = (store, name, version) => {
  const file = `specifications/${name}-${version}.gemspec`
  const text = readStored(store, file)
  if (text === undefined) return undefined
  const [, written = ''] = /^\s*\w+\.licenses?\s*=\s*(.+)$/m.exec(text) ?? []
  const said = [...written.matchAll(/["']([^"']{1,200})["']/g)].map(match => match[1]!)
  const all = said.length > 1 ? [said.map(one => `(${one})`).join(' OR ')] : said
  return { ...makePackage(store, `gems/${name}-${version}`, '', all), from: labelPath(store, file) }
}

/** Composer's `vendor` directory. Several licenses are a choice. */
export const findComposerPackage: FindInStore = (store, name) => {
  const text = readStored(store, name, 'composer.json')
  if (text === undefined) return undefined
  const { license } = readFields(() => JSON.parse(text))
  const said = typeof license === 'string' ? [license] : asTexts(license)
  return makePackage(store, name, 'composer.json', said.length > 1 ? [said.map(one => `(${one})`).join(' OR ')] : said)
}

/** Parents of a POM that are read for its licenses. */
const MOST_PARENTS = 10

/** Maven's local repository. A POM without licenses has those of its parent. */
export const findMavenArtifact: FindInStore = (store, name, version) => {
  let [group = '', artifact = ''] = name.split(':')
  for (let depth = 0; depth < MOST_PARENTS; depth++) {
    const directory = `${group.replaceAll('.', '/')}/${artifact}/${version}`
    const text = readStored(store, directory, `${artifact}-${version}.pom`)
    const root = text === undefined ? undefined : readElement(text)
    if (!root) return undefined
    const said = readPomLicenses(root)
    if (said.length > 0) return makePackage(store, directory, `${artifact}-${version}.pom`, said)
    const parent = findChild(root, 'parent')
    const [g, a, v] = ['groupId', 'artifactId', 'version'].map(each => readChild(parent, each))
    if (g === undefined || a === undefined || v === undefined)
      return makePackage(store, directory, `${artifact}-${version}.pom`, [])
    ;[group, artifact, version] = [g, a, v]
  }
  return undefined
}

/** The licenses of a POM as one text: of several, whoever uses the artifact may choose (POM reference). The address counts where the name means none. */
export function readPomLicenses(root: XmlElement): string[] {
  const names = listItems(root, 'licenses', 'license').map(each => ({
    name: readChild(each, 'name')?.trim() ?? '',
    url: readChild(each, 'url')?.trim() ?? '',
  }))
  if (names.length === 0) return []
  const join = (texts: string[]) => (texts.length > 1 ? texts.map(one => `(${one})`).join(' OR ') : texts[0]!)
  return [join(names.map(({ name, url }) => name || url)), join(names.map(({ name, url }) => url || name))]
}

/** Gradle's cache: a directory for each file's hash. */
export const findGradleArtifact: FindInStore = (store, name, version) => {
  const [group = '', artifact = ''] = name.split(':')
  const directory = `${group}/${artifact}/${version}`
  for (const hash of listStored(store, directory)) {
    const text = readStored(store, directory, hash, `${artifact}-${version}.pom`)
    const root = text === undefined ? undefined : readElement(text)
    const said = root ? readPomLicenses(root) : []
    if (said.length > 0) return makePackage(store, `${directory}/${hash}`, `${artifact}-${version}.pom`, said)
  }
  return undefined
}

/** NuGet's folder of packages: an expression, a file of the package, or an address. */
export const findNuGetPackage: FindInStore = (store, name, version) => {
  const directory = `${name.toLowerCase()}/${version.toLowerCase()}`
  const file = `${name.toLowerCase()}.nuspec`
  const text = readStored(store, directory, file)
  const root = text === undefined ? undefined : readElement(text)
  if (!root) return undefined
  const metadata = findChild(root, 'metadata')
  const license = findChild(metadata, 'license')
  const url = readChild(metadata, 'licenseUrl')?.trim()
  const stated = license?.text.trim()
  const isFile = license?.attributes.type === 'file'
  const said = [
    ...(stated && !isFile ? [stated] : []),
    ...(url ? [url.replace(/^https:\/\/licenses\.nuget\.org\//, '')] : []),
  ]
  return makePackage(store, directory, file, said.map(decodeAddress), isFile && stated ? [stated] : [])
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%2B'))
  } catch {
    return text
  }
}

/** Pub's cache, and others where a package is a directory of its name and version. */
export const findByVersion: FindInStore = (store, name, version) => {
  const directory = `${name}-${version}`
  return existsIn(store, directory) ? makePackage(store, directory, '', []) : undefined
}

/** Mix's `deps` directory. */
export const findHexPackage: FindInStore = (store, name) => {
  const text = readStored(store, name, 'hex_metadata.config')
  if (text === undefined) return existsIn(store, name) ? makePackage(store, name, '', []) : undefined
  const [, list = ''] = /\{<<"licenses">>,\s*\[([^\]]{0,2000})\]/.exec(text) ?? []
  const said = [...list.matchAll(/<<"([^"]{1,200})"/g)].map(match => match[1]!)
  return makePackage(
    store,
    name,
    'hex_metadata.config',
    said.length > 1 ? [said.map(one => `(${one})`).join(' OR ')] : said,
  )
}

function readFields(read: () => unknown): Record<string, unknown> {
  try {
    return asFields(read())
  } catch {
    return {}
  }
}

function readElement(text: string): XmlElement | undefined {
  try {
    return readXml(text)
  } catch {
    return undefined
  }
}
