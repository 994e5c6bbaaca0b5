import type { Context } from '../../../base/context.ts'
import { readSource } from '../../../base/disk/read.ts'
import type { SourceFile } from '../../../base/records/source-file.ts'
import { decode } from '../../../base/text/decode.ts'
import type { Config } from '../../../sources/config/load.ts'
import { discover } from '../../../sources/repository/discover.ts'
import { directoryOf } from '../../inventory/paths.ts'
import { readInventory } from '../../inventory/read.ts'
import { listLicenses, readLicense } from '../expression.ts'
import { identifyLicenses } from '../identify.ts'
import { isLicenseFile } from '../local/disk.ts'
import { type Annotation, readDep5, readReuseToml } from './annotations.ts'
import type { OwnFiles } from './report.ts'

/** Tags stand in a file's head; a whole file is read where it is no larger than this. */
const MOST_BYTES = 4 * 2 ** 20
const MOST_EXAMPLES = 10
const MOST_INVALID = 100
const TAG = /SPDX-License-Identifier:[ \t]*([^\r\n]+)/i

/** Reads the license of each file of the repository: its tag, its `.license` file, REUSE.toml or dep5. */
export async function checkOwnFiles(config: Config, { signal }: Pick<Context, 'signal'>): Promise<OwnFiles> {
  const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
  const inventory = await readInventory(listing, { signal })
  const paths = new Set(listing.files.map(({ path }) => path))
  const read = (file: SourceFile) => readText(config.root, file)
  const annotations = listing.files.flatMap(file => readAnnotations(file, read))
  const own: OwnFiles = {
    ...{ files: 0, tagged: 0, annotated: 0, by_license: {}, untagged: { count: 0, examples: [] }, invalid: [] },
    ...{ missing_texts: [], unused_texts: [], license_files: [], declared: [], reuse: false, unread: 0 },
  }
  const counts = new Map<string, number>()
  const named = new Set<string>()
  for (const file of listing.files) {
    signal.throwIfAborted()
    const { path } = file
    if (isLicenseFile(path) && !path.includes('/')) own.license_files.push(describeLicenseFile(file, read))
    if (isOutside(path)) continue
    own.files++
    const stated = findOwnLicense(file, { read, annotations, hasSibling: paths.has(`${path}.license`) }, own)
    if (stated === undefined) {
      own.untagged.count++
      if (own.untagged.examples.length < MOST_EXAMPLES) own.untagged.examples.push(path)
      continue
    }
    counts.set(stated, (counts.get(stated) ?? 0) + 1)
    const parsed = readLicense(stated)
    if ('tree' in parsed)
      for (const { license, exception } of listLicenses(parsed.tree)) {
        named.add(license.replace(/\+$/, ''))
        if (exception !== undefined) named.add(exception)
      }
  }
  own.by_license = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  own.declared = inventory.projects.flatMap(({ file, license }) => (license === undefined ? [] : [{ file, license }]))
  const texts = listing.files.flatMap(({ path }) => /^LICENSES\/([^/]+?)(?:\.txt|\.md)?$/.exec(path)?.[1] ?? [])
  if (texts.length > 0 || annotations.length > 0) {
    own.missing_texts = [...named].filter(id => !texts.includes(id)).sort()
    own.unused_texts = texts.filter(id => !named.has(id)).sort()
  }
  own.reuse =
    texts.length > 0 &&
    own.untagged.count === 0 &&
    own.unread === 0 &&
    own.invalid.length === 0 &&
    own.missing_texts.length === 0
  return own
}

/** Files that need no license by REUSE: license texts, the files that say licenses, and empty-by-nature ones of git. */
function isOutside(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    /^LICENSES\//.test(path) ||
    /^\.reuse\//.test(path) ||
    /^(?:COPYING|LICEN[CS]E)(?:[-.].*)?$/.test(name) ||
    /\.license$|\.spdx(?:\.\w+)?$/.test(name) ||
    name === 'REUSE.toml'
  )
}

interface Sources {
  read: (file: SourceFile) => string | undefined
  annotations: readonly Annotation[]
  hasSibling: boolean
}

function findOwnLicense(
  file: SourceFile,
  { read, annotations, hasSibling }: Sources,
  own: OwnFiles,
): string | undefined {
  const annotation = annotations.find(one => one.takes(file.path))
  if (annotation?.overrides) return count(annotation.license)
  if (hasSibling) {
    const tag = TAG.exec(read({ ...file, path: `${file.path}.license` }) ?? '')?.[1]?.trim()
    if (tag !== undefined) return count(tag)
  }
  const text = read(file)
  if (text === undefined && !annotation) own.unread++
  const match = text === undefined ? null : TAG.exec(text)
  if (match) {
    const tag = match[1]!.replace(/(?:\*\/|-->|%>|\*\)|--\}|#\}|["'`]).*$/, '').trim()
    const parsed = readLicense(tag)
    if ('tree' in parsed) {
      own.tagged++
      return parsed.expression
    }
    // Code that handles tags has them in strings and patterns, which no license follows.
    if (/^[A-Za-z][\w.+-]*(?: |$)/.test(tag) && own.invalid.length < MOST_INVALID)
      own.invalid.push({
        file: file.path,
        line: text!.slice(0, match.index).split('\n').length,
        tag: tag.slice(0, 100),
      })
  }
  return annotation ? count(annotation.license) : undefined

  function count(license: string): string {
    own.annotated++
    const parsed = readLicense(license)
    return 'tree' in parsed ? parsed.expression : license
  }
}

function readAnnotations(file: SourceFile, read: (file: SourceFile) => string | undefined): Annotation[] {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  if (name !== 'REUSE.toml' && file.path !== '.reuse/dep5') return []
  const text = read(file)
  if (text === undefined) return []
  return name === 'REUSE.toml' ? readReuseToml(text, directoryOf(file.path)) : readDep5(text)
}

function describeLicenseFile(
  file: SourceFile,
  read: (file: SourceFile) => string | undefined,
): { file: string; license?: string } {
  const { expression } = identifyLicenses(read(file) ?? '')
  return { file: file.path, ...(expression !== undefined && { license: expression }) }
}

function readText(root: string, file: SourceFile): string | undefined {
  const bytes = readSource(root, file, MOST_BYTES)
  if (!(bytes instanceof Uint8Array)) return undefined
  const decoded = decode(bytes, file.encoding)
  return 'text' in decoded ? decoded.text : undefined
}
