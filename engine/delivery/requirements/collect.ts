import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { compileGlob } from '../../base/text/glob.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { REQUIREMENTS_PATHS } from '../../sources/config/paths.ts'
import { readRequirementCsv } from './csv.ts'
import { DOORSTOP_MARK, readDoorstopItem } from './doorstop.ts'
import { readRequirementMarkdown } from './markdown.ts'
import type { Requirement, RequirementFault, RequirementFormat, RequirementReader, RequirementSet } from './model.ts'
import { readReqif } from './reqif.ts'
import { readReqifArchive } from './reqifz.ts'
import { readStrictDoc } from './strictdoc.ts'
import { readRequirementsYaml } from './yaml.ts'

const READERS: Readonly<Record<RequirementFormat, RequirementReader>> = {
  yaml: readRequirementsYaml,
  markdown: readRequirementMarkdown,
  doorstop: readDoorstopItem,
  strictdoc: readStrictDoc,
  reqif: readReqif,
  csv: readRequirementCsv,
}

/** A file that has requirements by its name or directory, with the reader for it. */
export interface RequirementPath {
  file: SourceFile
  format: RequirementFormat
}

/**
 * The files that have requirements: requirements.yaml, items of Doorstop, *.sdoc, *.reqif, *.reqifz, requirements.csv, Markdown in a directory called
 * requirements; and what the globs of `requirements.files` name, whose format is that of the ending. Other YAML is none, whatever it has.
 */
export function findRequirementFiles(
  listing: Pick<Listing, 'files'>,
  globs: readonly string[] = [],
): RequirementPath[] {
  const named = globs.map(compileGlob)
  const documents = new Set(
    listing.files.flatMap(({ path }) => (baseName(path) === DOORSTOP_MARK ? [directoryName(path)] : [])),
  )
  return listing.files.flatMap(file => {
    if (file.class === 'vendored') return []
    const format = findFormat(file.path, documents, () => named.some(matches => matches(file.path)))
    return format ? [{ file, format }] : []
  })
}

/** Tells by its name alone whether a file may have requirements. */
export function makeRequirementFilter(globs: readonly string[] = []): (path: string) => boolean {
  const named = globs.map(compileGlob)
  return path =>
    baseName(path) === DOORSTOP_MARK ||
    findFormat(path, new Set(), () => named.some(matches => matches(path))) !== undefined
}

/** A name for the filter of these globs: two filters of one name want the same paths. */
export function nameRequirementFilter(globs: readonly string[] = []): string {
  return `requirements ${JSON.stringify(globs)}`
}

function findFormat(
  path: string,
  documents: ReadonlySet<string>,
  isNamed: () => boolean,
): RequirementFormat | undefined {
  const name = baseName(path)
  const dot = name.lastIndexOf('.')
  const ending = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  if (ending === 'sdoc') return 'strictdoc'
  if (ending === 'reqif' || ending === 'reqifz') return 'reqif'
  if ((ending === 'yml' || ending === 'md') && !name.startsWith('.') && documents.has(directoryName(path)))
    return 'doorstop'
  if (ending === 'yaml' || ending === 'yml')
    return (REQUIREMENTS_PATHS as readonly string[]).includes(path) || isNamed() ? 'yaml' : undefined
  if (ending === 'csv') return /^requirements\.csv$/i.test(name) || isNamed() ? 'csv' : undefined
  if (ending === 'md') return /(?:^|\/)requirements\//i.test(path) || isNamed() ? 'markdown' : undefined
  return undefined
}

/** Whether a file of requirements is an archive of documents; its text has a character for each byte. */
export function isArchive(path: string): boolean {
  return /\.reqifz$/i.test(path)
}

/** Reads the text of a file; the sentence says why it cannot be read. */
export type ReadText = (file: SourceFile) => { text: string } | { reason: string }

/**
 * Reads all requirements of a repository. Two with the same id and a parent that there is not are faults, at the line of the second one and of the one
 * that names it. The same files give the same set.
 */
export async function collectRequirements(
  paths: readonly RequirementPath[],
  readText: ReadText,
  signal?: AbortSignal,
): Promise<RequirementSet> {
  const requirements: Requirement[] = []
  const faults: RequirementFault[] = []
  const sources: RequirementSet['sources'] = []
  for (const { file, format } of paths) {
    signal?.throwIfAborted()
    const { path } = file
    const content = readText(file)
    if ('reason' in content) {
      faults.push({ kind: 'invalid', file: path, line: 1, message: `The file cannot be read: ${content.reason}.` })
      continue
    }
    const read = await (isArchive(path) ? readReqifArchive : READERS[format])(content.text, path)
    if (read.requirements.length > 0 || read.faults.length > 0)
      sources.push({ file: path, format, requirements: read.requirements.length })
    for (const requirement of read.requirements) requirements.push(requirement)
    for (const fault of read.faults) faults.push(fault)
  }
  return { requirements, ...index(requirements, faults), sources }
}

function index(requirements: readonly Requirement[], faults: RequirementFault[]) {
  const byId = new Map<string, Requirement>()
  for (const requirement of requirements) {
    const { id, file, line } = requirement
    const first = byId.get(id)
    if (!first) byId.set(id, requirement)
    else {
      const where = first.file === file ? `in line ${first.line}` : `in ${first.file}:${first.line}`
      faults.push({ kind: 'duplicate', file, line, id, message: `The id ${id} is used twice, first ${where}.` })
    }
  }
  for (const { id, file, line, parent } of requirements)
    for (const each of parent) {
      if (byId.has(each) && each !== id) continue
      const message =
        each === id ? `${id} is its own parent.` : `The parent ${each} of ${id} does not exist${suggest(each, byId)}.`
      faults.push({ kind: 'unknown_parent', file, line, id, message })
    }
  return { byId, faults: faults.sort(compareFaults) }
}

/** More ids than this are not compared for the one that was probably meant. */
const MOST_COMPARED = 5000

/** The end of a sentence with the id that was probably meant; '' where none is near. */
export function suggest(id: string, known: ReadonlyMap<string, unknown>): string {
  const near = known.size > MOST_COMPARED || id.length > 100 ? undefined : findNearest(id, [...known.keys()])
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

function compareFaults(a: RequirementFault, b: RequirementFault): number {
  return (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || (a.message < b.message ? -1 : 1)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function directoryName(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
