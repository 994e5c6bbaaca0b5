import { basename } from 'node:path'
import { parseObject } from '../../base/text/json-object.ts'
import type { Config } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { MOST_BYTES, makeCodeFile } from '../code/code-file.ts'
import { JAVASCRIPT, JVM } from '../code/forms.ts'
import type { Mark } from '../code/marks.ts'
import { readText, type Unread } from '../content.ts'
import { type ApiDocument, readApiDocument } from './api-documents.ts'
import { buildModel } from './build.ts'
import { COMPOSE, readCompose } from './compose.ts'
import type { Deployed } from './infrastructure.ts'
import { type KubernetesDocument, readKubernetes } from './kubernetes.ts'
import type { DataFlowModel, EntryPoint } from './model.ts'
import { readServerless, readTemplate, SERVERLESS, TEMPLATE } from './serverless.ts'
import { readTerraform, TERRAFORM } from './terraform.ts'
import { addFile, MARKUP, makeUnit, type UnitFacts } from './unit-facts.ts'
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
/** Files of JSON that may describe an API or a deployment; those of YAML are looked into. */
const DOCUMENT_NAMES =
  /(?:openapi|swagger|asyncapi|api|serverless|template|cloudformation)[\w.-]{0,40}\.(?:ya?ml|json)$/i
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
  const documents: Documents = { deployed: [], kubernetes: [], specified: new Map() }
  const { deployed, specified } = documents
  const unread: Unread[] = []
  const chosen = files.filter(({ path, language }) => isOfModel(path, language))
  if (chosen.length > MOST_FILES)
    unread.push({ path: '.', reason: `only ${MOST_FILES} of ${chosen.length} files were read` })
  const openUnit = (directory: string) => {
    const unit = units.get(directory) ?? makeUnit(directory)
    units.set(directory, unit)
    return unit
  }
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
    else if (/\.ya?ml$/.test(path) || DOCUMENT_NAMES.test(path)) {
      const fault = await readDocuments(text, path, documents, () => openUnit(directory))
      if (fault !== undefined) unread.push({ path, reason: fault })
    }
    if (isProgram(path, language)) addFile(openUnit(directory), makeCodeFile(path, text))
  }
  deployed.push(...readKubernetes(documents.kubernetes))
  for (const { kind, directory } of deployed) if (kind === 'build') openUnit(directory!)
  const sorted = [...units.values()].sort((a, b) => (a.directory < b.directory ? -1 : 1))
  return { model: buildModel({ name: readName(root), units: sorted, deployed, specified }), files: done, unread }
}

/** The name of the package at the root, or of its directory. */
function readName(root: string): string {
  const manifest = readText(root, 'package.json')
  const name = typeof manifest === 'string' ? parseObject(manifest)?.name : undefined
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : basename(root)
}

function isProgram(path: string, language: string | null): boolean {
  return PROGRAMS.has(language ?? '') || SETTINGS_NAMES.test(path) || MARKUP.test(path)
}

function isOfModel(path: string, language: string | null): boolean {
  if (isProgram(path, language)) return true
  return (
    COMPOSE.test(path) ||
    TERRAFORM.test(path) ||
    DOCUMENT_NAMES.test(path) ||
    (SETTINGS.has(language ?? '') && /\.ya?ml$/.test(path))
  )
}

/** What files other than programs add to a model. */
interface Documents {
  deployed: Deployed[]
  kubernetes: KubernetesDocument[]
  /** Endpoints that only documents name, by unit. */
  specified: Map<string, EntryPoint[]>
}

/** Reads what a YAML or JSON file deploys or specifies; why it cannot be read, where it is one of these. */
async function readDocuments(
  text: string,
  path: string,
  { deployed, kubernetes, specified }: Documents,
  findUnitOf: () => UnitFacts,
): Promise<string | undefined> {
  const isSpec = /(?:^|[\s{,"'])(?:openapi|swagger|asyncapi)["']?\s{0,5}:/m.test(text)
  const isWorkload = /^\s{0,4}kind\s{0,3}:/m.test(text) && /^\s{0,4}apiVersion\s{0,3}:/m.test(text)
  const isTemplate = TEMPLATE.test(text) && text.includes('AWS::')
  const [isCompose, isServerless] = [COMPOSE.test(path), SERVERLESS.test(path)]
  if (!isSpec && !isWorkload && !isTemplate && !isCompose && !isServerless) return undefined
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
  for (const document of documents) {
    if (isCompose) deployed.push(...readCompose(document, path, lineOf))
    if (isWorkload) kubernetes.push({ document, file: path, lineOf })
    if (isServerless || isTemplate) {
      const functions = (isServerless ? readServerless : readTemplate)(document, path, lineOf)
      deployed.push(...functions.deployed)
      if (functions.entry_points.length > 0) {
        const unit = findUnitOf()
        specified.set(unit.directory, [...(specified.get(unit.directory) ?? []), ...functions.entry_points])
        if (functions.has_auth) unit.marks.push(markAuth(path, functions.entry_points[0]!.line))
      }
    }
    if (isSpec) {
      const api = readApiDocument(document, path, lineOf)
      addApi(findUnitOf(), api, path, specified)
      for (const { technology, line } of api.brokers)
        deployed.push({
          ...{ name: technology.name, file: path, line, kind: 'technology', technology },
          published: false,
          depends_on: [],
        })
    }
  }
  return undefined
}

function addApi(unit: UnitFacts, api: ApiDocument, file: string, specified: Map<string, EntryPoint[]>): void {
  specified.set(unit.directory, [...(specified.get(unit.directory) ?? []), ...api.entry_points])
  if (api.auth !== undefined) unit.marks.push(markAuth(file, api.auth))
  for (const { host, line, what } of api.hosts) if (!unit.hosts.has(host)) unit.hosts.set(host, { file, line, what })
  for (const line of api.callbacks.slice(0, 20)) unit.outbound.push({ file, line, what: 'callbacks to clients' })
}

function markAuth(file: string, line: number): Mark {
  return {
    ...{ kind: 'auth', key: 'auth authentication', name: 'authentication', file, line },
    symbol: '',
    evidence: '',
  }
}

/** Where keys of a YAML or JSON text, and names that it gives, stand first; 1 where they do not. */
function indexLines(text: string): (name: string) => number {
  const lines = new Map<string, number>()
  const add = (name: string | undefined, line: number) => {
    if (name !== undefined && !lines.has(name)) lines.set(name, line)
  }
  for (const [index, line] of text.split('\n').entries()) {
    const [, key, value] =
      /^\s{0,80}(?:-\s{1,4})?["']?([^\s"'][^"'\n]{0,300}?)["']?\s{0,4}:(?:\s{1,4}(.{0,200})|$)/.exec(
        line.slice(0, 500),
      ) ?? []
    add(key, index + 1)
    if (key === 'name') add(value?.replace(/^["']|["']?\s*$/g, ''), index + 1)
  }
  return name => lines.get(name) ?? 1
}
