import { readdirSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isInside } from '../../../base/disk/project-write.ts'
import { readRegular } from '../../../base/disk/read.ts'

/** Metadata of packages and license texts are kilobytes; a file that is larger is neither. */
const MOST_BYTES = 4 * 2 ** 20
/** Entries of one directory that are looked at. */
const MOST_ENTRIES = 50_000

/**
 * A directory in which packages are installed. Nothing is read that lies outside of it through a symbolic link: whoever writes the repository
 * chooses what stands in `node_modules`, and what is read here may be copied into a notices file.
 */
export interface PackageStore {
  /** Absolute, links resolved. */
  root: string
  /** What a user calls it: relative to the repository, or with `~` for the home directory. */
  label: string
}

/** Opens a store; undefined where the directory is not there, or a link leads out of `within`. */
export function openStore(path: string, label: string, within?: string): PackageStore | undefined {
  try {
    const root = realpathSync.native(path)
    if (within !== undefined && !isInside(realpathSync.native(within), root)) return undefined
    return { root, label }
  } catch {
    return undefined
  }
}

/** A text file of a store; undefined where there is none that can be read, or it lies outside. */
export function readStored(store: PackageStore, ...path: string[]): string | undefined {
  try {
    const real = realpathSync.native(join(store.root, ...path))
    if (!isInside(store.root, real)) return undefined
    const bytes = readRegular(real, MOST_BYTES)
    return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('utf8') : undefined
  } catch {
    return undefined
  }
}

/** Names in a directory of a store, sorted; directories end with `/`, links are left out. */
export function listStored(store: PackageStore, ...path: string[]): string[] {
  try {
    const real = realpathSync.native(join(store.root, ...path))
    if (!isInside(store.root, real)) return []
    return readdirSync(real, { withFileTypes: true })
      .slice(0, MOST_ENTRIES)
      .flatMap(entry => (entry.isDirectory() ? `${entry.name}/` : entry.isFile() ? entry.name : []))
      .sort()
  } catch {
    return []
  }
}

const LICENSE_FILE = /^(?:licen[cs]es?|copying|copyright|unlicen[cs]e)(?:[-_.][\w.+-]*)?$/i
const LICENSE_SUFFIX = /^[\w.-]+(?:[-_]licen[cs]e(?:\.(?:txt|md|rst))?|\.licen[cs]e\.(?:txt|md|rst))$/i
const NO_LICENSE = /\.(?:js|ts|py|go|rb|php|json|java|c|h|rs|html?|css|yml|yaml|d\.ts|map|spdx)$/i

/** Whether a file's name says that a license is in it. */
export function isLicenseFile(name: string): boolean {
  return (LICENSE_FILE.test(name) || LICENSE_SUFFIX.test(name)) && !NO_LICENSE.test(name)
}

export function isNoticeFile(name: string): boolean {
  return /^notices?(?:\.(?:txt|md))?$/i.test(name)
}

/** The text of each license file in a package's directory, by path in the store. */
export function readLicenseFiles(store: PackageStore, directory: string, more: readonly string[] = []): LicenseFile[] {
  const own = listStored(store, directory).filter(name => isLicenseFile(name) || isNoticeFile(name))
  const inside = ['licenses/', 'LICENSES/'].flatMap(name => listStored(store, directory, name).map(file => name + file))
  const names = [...new Set([...more, ...own, ...inside.filter(name => !name.endsWith('/'))])]
  return names.slice(0, MOST_LICENSE_FILES).flatMap(name => {
    const text = readStored(store, directory, name)
    const isNotice = isNoticeFile(name.split('/').at(-1)!)
    return text === undefined ? [] : [{ name, text, isNotice }]
  })
}

const MOST_LICENSE_FILES = 20

/** A license or notice file of a package. */
export interface LicenseFile {
  /** Relative to the package. */
  name: string
  text: string
  /** A NOTICE file: it is passed on with the license, and is none. */
  isNotice: boolean
}

/** What an installed package says of its license. */
export interface LocalPackage {
  /** Names or expressions, in the order in which they count. */
  said: string[]
  /** Whether a list of several is a choice (`or`) or holds together (`and`). */
  list: 'or' | 'and'
  /** Where it was read, for a user. */
  from: string
  /** The license files; read when they are needed. */
  readFiles(): LicenseFile[]
}

/** A path of a store as a user knows it. */
export function labelPath({ label }: PackageStore, ...path: string[]): string {
  return [label, ...path].join('/').split(sep).join('/').replace(/\/+/g, '/')
}
