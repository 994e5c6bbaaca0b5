import { basename } from 'node:path'
import { parseObject } from '../../base/text/json-object.ts'
import type { Config } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { isTree } from '../../specs/document.ts'
import { METHODS } from '../../specs/openapi.ts'
import { MOST_BYTES, makeCodeFile } from '../code/code-file.ts'
import { JAVASCRIPT, JVM } from '../code/forms.ts'
import { readText, type Unread } from '../content.ts'
import { buildModel } from './build.ts'
import { COMPOSE, type Deployed, readCompose, readKubernetes, readTerraform, TERRAFORM } from './infrastructure.ts'
import type { DataFlowModel, EntryPoint } from './model.ts'
import { addFile, makeUnit, type UnitFacts } from './unit-facts.ts'
import { findUnit, isModeled, listUnits } from './units.ts'

/** Languages of programs, and of files that say what they connect to. */
const PROGRAMS = new Set([
  ...JAVASCRIPT,
  ...JVM,
  'python',
  'go',
  'ruby',
  'php',
  'csharp',
  'rust',
  'sql',
  'proto',
  'protobuf',
])
const SETTINGS = new Set(['yaml', 'properties', 'dotenv', 'ini', 'toml', 'json', 'xml', 'prisma'])
const SETTINGS_NAMES =
  /(?:^|\/)(?:\.env[\w.-]{0,20}|application[\w.-]{0,20}\.(?:ya?ml|properties)|database\.ya?ml|schema\.prisma|appsettings[\w.]{0,20}\.json|config\/[\w.-]{1,40}\.(?:ya?ml|json|php))$/
const OPENAPI_NAMES = /(?:openapi|swagger|api)[\w.-]{0,40}\.(?:ya?ml|json)$/i
/** Files read for a model; of more, what the others show is missing and said. */
const MOST_FILES = 20_000

export interface ReadModel {
  model: DataFlowModel
  /** Files that the model was made of. */
  files: number
  unread: Unread[]
}

/** Reads the data-flow model of a repository from its files. */
export async function readModel(
  config: Config,
  signal: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<ReadModel> {
  const { root } = config
  const { files: listed } = await discover(root, { exclude: config.scan_exclude, signal })
  const files = listed.filter(({ path, in_test, class: by }) => !in_test && by === undefined && isModeled(path))
  const directories = listUnits(files.map(({ path }) => path))
  const known = new Set(directories)
  const units = new Map<string, UnitFacts>()
  const deployed: Deployed[] = []
  const specified = new Map<string, EntryPoint[]>()
  const unread: Unread[] = []
  const chosen = files.filter(({ path, language }) => isOfModel(path, language))
  if (chosen.length > MOST_FILES)
    unread.push({ path: '.', reason: `only ${MOST_FILES} of ${chosen.length} files were read` })
  let done = 0
  for (const source of chosen.slice(0, MOST_FILES)) {
    signal.throwIfAborted()
    if (++done % 200 === 0) onProgress?.(done, chosen.length)
    const { path, language, size } = source
    const text = size > MOST_BYTES ? { reason: 'it is larger than 1 MiB' } : readText(root, path, source)
    if (typeof text !== 'string') {
      unread.push({ path, reason: text.reason })
      continue
    }
    const directory = findUnit(path, known)
    if (TERRAFORM.test(path)) deployed.push(...readTerraform(text, path))
    else if (/\.ya?ml$/.test(path) || OPENAPI_NAMES.test(path)) {
      const fault = await readDocuments(text, path, deployed, entries => {
        specified.set(directory, [...(specified.get(directory) ?? []), ...entries])
      })
      if (fault !== undefined) unread.push({ path, reason: fault })
    }
    if (PROGRAMS.has(language ?? '') || SETTINGS_NAMES.test(path)) {
      const unit = units.get(directory) ?? makeUnit(directory)
      units.set(directory, unit)
      addFile(unit, makeCodeFile(path, text))
    }
  }
  for (const { kind, directory } of deployed)
    if (kind === 'build' && !units.has(directory!)) units.set(directory!, makeUnit(directory!))
  const sorted = [...units.values()].sort((a, b) => (a.directory < b.directory ? -1 : 1))
  return { model: buildModel({ name: readName(root), units: sorted, deployed, specified }), files: done, unread }
}

/** The name of the package at the root, or of its directory. */
function readName(root: string): string {
  const manifest = readText(root, 'package.json')
  const name = typeof manifest === 'string' ? parseObject(manifest)?.name : undefined
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : basename(root)
}

function isOfModel(path: string, language: string | null): boolean {
  if (PROGRAMS.has(language ?? '') || SETTINGS_NAMES.test(path)) return true
  return (
    COMPOSE.test(path) ||
    TERRAFORM.test(path) ||
    OPENAPI_NAMES.test(path) ||
    (SETTINGS.has(language ?? '') && /\.ya?ml$/.test(path))
  )
}

/** Reads what a YAML or JSON file deploys or specifies; why it cannot be read, where it is one of these. */
async function readDocuments(
  text: string,
  path: string,
  deployed: Deployed[],
  onEntries: (entries: EntryPoint[]) => void,
): Promise<string | undefined> {
  const isSpec = /(?:^|[\s{,"'])(?:openapi|swagger)["']?\s{0,5}:/m.test(text)
  const isWorkload = /^\s{0,4}kind\s{0,3}:/m.test(text) && /^\s{0,4}apiVersion\s{0,3}:/m.test(text)
  if (!isSpec && !isWorkload && !COMPOSE.test(path)) return undefined
  const { parseAllDocuments } = await import('yaml')
  const lineOf = indexLines(text)
  let documents: unknown[]
  try {
    documents = parseAllDocuments(text, { logLevel: 'silent' }).map(each =>
      each.errors.length > 0 ? undefined : each.toJS(),
    )
  } catch {
    documents = [undefined]
  }
  if (documents.includes(undefined) && /\{\{/.test(text)) return isWorkload ? 'it is a template' : 'it is no YAML'
  if (documents.includes(undefined)) return 'it is no YAML'
  if (COMPOSE.test(path)) for (const document of documents) deployed.push(...readCompose(document, path, lineOf))
  if (isWorkload) deployed.push(...readKubernetes(documents, path, lineOf))
  if (isSpec) for (const document of documents) onEntries(listOperations(document, path, lineOf))
  return undefined
}

/** The operations of an OpenAPI document. */
function listOperations(document: unknown, file: string, lineOf: (name: string) => number): EntryPoint[] {
  if (!isTree(document) || !isTree(document.paths)) return []
  return Object.entries(document.paths)
    .slice(0, 2000)
    .flatMap(([path, item]) => {
      if (!isTree(item)) return []
      const line = lineOf(path)
      return METHODS.filter(method => Object.hasOwn(item, method)).map(
        (method): EntryPoint => ({
          method: method.toUpperCase(),
          path,
          framework: 'OpenAPI',
          file,
          line,
          source: 'openapi',
        }),
      )
    })
}

/** Where keys of a YAML or JSON text, and names that it gives, stand first; 1 where they do not. */
function indexLines(text: string): (name: string) => number {
  const lines = new Map<string, number>()
  const add = (name: string | undefined, line: number) => {
    if (name !== undefined && !lines.has(name)) lines.set(name, line)
  }
  for (const [index, line] of text.split('\n').entries()) {
    const [, key, value] =
      /^\s{0,80}(?:-\s{1,4})?["']?([^\s"'][^"'\n]{0,300}?)["']?\s{0,4}:(?:\s{1,4}["']?([^"'\n]{0,100}?)["']?\s{0,4})?$/.exec(
        line.slice(0, 500),
      ) ?? []
    add(key, index + 1)
    if (key === 'name') add(value, index + 1)
  }
  return name => lines.get(name) ?? 1
}
