import type { SourceFile } from '../../base/records/source-file.ts'
import { formatCount } from '../../base/text/words.ts'
import { type Declaration, findForm, listDeclarations } from '../../quality/profile/declarations.ts'
import { isProgramFile } from '../../quality/sources.ts'
import { makeRecord, type RequirementRecord } from '../requirements/model.ts'
import { readSummary } from './summary.ts'

/** A source file that no requirement names, with its public API. */
export interface UntracedFile {
  path: string
  language: string
  declarations: (Declaration & { summary?: string })[]
}

/** Files that a draft names one by one; a module of more is named by its directory. */
const MOST_FILES = 50
/** Parts of the public API that a draft lists. */
const MOST_NAMED = 100

/** The source files that nothing links, tests apart. */
export function findUntraced(files: readonly SourceFile[], linked: ReadonlySet<string>): SourceFile[] {
  return files.filter(file => isProgramFile(file) && !file.in_test && !linked.has(file.path))
}

/** What a file offers to others. */
export function readUntraced({ path, language }: SourceFile, text: string): UntracedFile {
  const form = findForm(language!)
  if (!form) return { path, language: language!, declarations: [] }
  const lines = text.split('\n')
  const declarations = listDeclarations(text, form)
    .filter(({ is_public }) => is_public)
    .map(each => {
      const summary = each.documented ? readSummary(lines, each.line, form.documented) : undefined
      return { ...each, ...(summary !== undefined && { summary }) }
    })
  return { path, language: language!, declarations }
}

/**
 * Drafts requirements for code that nothing names: one a module (directory), with its public API as the description, the first sentence of each
 * documentation comment as an acceptance criterion, and the tests that are called like its files. The same files give the same drafts; `known`
 * are ids that are taken.
 */
export function draftRequirements(
  files: readonly UntracedFile[],
  tests: readonly string[],
  known: ReadonlySet<string>,
): RequirementRecord[] {
  const modules = new Map<string, UntracedFile[]>()
  for (const file of files) {
    const module = file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '.'
    const list = modules.get(module)
    if (list) list.push(file)
    else modules.set(module, [file])
  }
  const taken = new Set(known)
  const testsByStem = groupByStem(tests)
  return [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, own]) => {
      const record = draftModule(module, own, testsByStem, taken)
      taken.add(record.id)
      return record
    })
}

function draftModule(
  module: string,
  files: readonly UntracedFile[],
  tests: ReadonlyMap<string, string[]>,
  taken: ReadonlySet<string>,
): RequirementRecord {
  const api = files.flatMap(({ path, declarations }) => declarations.map(each => ({ path, ...each })))
  const names = [...new Set(api.map(({ name }) => name))]
  const shown = names.slice(0, 3).join(', ')
  const rest = names.length > 3 ? ` and ${names.length - 3} more` : ''
  const label = module === '.' ? 'The root directory' : module
  const languages = [...new Set(files.map(({ language }) => language))].sort().join(', ')
  const lines = api.slice(0, MOST_NAMED).map(({ kind, name, path, line }) => `- ${name} (${kind}, ${path}:${line})`)
  const hidden = api.length - lines.length
  const found = files.flatMap(({ path }) => findTests(path, tests))
  return makeRecord({
    id: makeId(module, taken),
    title: `${label}: ${names.length === 0 ? formatCount(files.length, 'file') : `${shown}${rest}`}`.slice(0, 200),
    description: [
      `Drafted from code: ${formatCount(files.length, 'file')} (${languages}) that no requirement names.`,
      ...(lines.length > 0 ? ['Public API:', ...lines] : ['It has no public API that svc finds.']),
      ...(hidden > 0 ? [`- and ${hidden} more`] : []),
    ].join('\n'),
    status: 'draft',
    acceptance: [
      ...new Set(api.flatMap(({ name, summary }) => (summary === undefined ? [] : [`${name}: ${summary}`]))),
    ].slice(0, MOST_NAMED),
    files:
      files.length <= MOST_FILES
        ? files.map(({ path }) => escapeGlob(path))
        : [`${module === '.' ? '' : `${escapeGlob(module)}/`}*`],
    tests: [...new Set(found)].sort().slice(0, MOST_FILES).map(escapeGlob),
  })
}

/** `src/auth` is DRAFT-SRC-AUTH, and DRAFT-SRC-AUTH-2 where that is taken. */
function makeId(module: string, taken: ReadonlySet<string>): string {
  const words = module
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const base = `DRAFT-${words.slice(0, 150) || 'ROOT'}`
  for (let number = 2, id = base; ; number++) {
    if (!taken.has(id)) return id
    id = `${base}-${number}`
  }
}

function groupByStem(tests: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const path of tests) {
    const stem = readStem(path)
      .replace(/^(?:test[_-]|spec[_-])/i, '')
      .replace(/(?:[._-](?:test|tests|spec|specs|it)|Tests?|Spec|IT)$/, '')
    const key = stem.toLowerCase()
    const list = found.get(key)
    if (list) list.push(path)
    else found.set(key, [path])
  }
  return found
}

/** Tests that are called like a file: where there are several, those whose path has its directory's name. */
function findTests(path: string, tests: ReadonlyMap<string, string[]>): string[] {
  const found = tests.get(readStem(path).toLowerCase()) ?? []
  if (found.length <= 1) return found
  const directory = path.split('/').at(-2)
  const near = directory === undefined ? [] : found.filter(each => each.split('/').includes(directory))
  return near
}

function readStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
}

/** A path as a glob that matches it alone. */
function escapeGlob(path: string): string {
  return path.replace(/([*?[\]{}\\])/g, '\\$1')
}
