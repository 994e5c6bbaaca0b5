import { METRIC_NAMES } from '../../../base/records/file-metrics.ts'

/** A type of the Common Expression Language, as far as policies need to tell them apart. `dyn` is not known before it is evaluated. */
export type CelKind =
  | {
      kind: 'int' | 'uint' | 'double' | 'bool' | 'string' | 'bytes' | 'null' | 'type' | 'timestamp' | 'duration' | 'dyn'
    }
  | { kind: 'list'; of: CelKind }
  | { kind: 'map'; key: CelKind; value: CelKind }
  | { kind: 'object'; name: string; fields: Readonly<Record<string, CelField>> }

/** What has to be known before a field can be read, where the listing of files does not tell. */
export type FactKind = 'metrics' | 'findings' | 'dependencies' | 'git' | 'history'

export interface CelField {
  type: CelKind
  needs?: FactKind
}

export const INT: CelKind = { kind: 'int' }
export const STRING: CelKind = { kind: 'string' }
export const BOOL: CelKind = { kind: 'bool' }
export const DYN: CelKind = { kind: 'dyn' }

export const listOf = (of: CelKind): CelKind => ({ kind: 'list', of })

const FILE: CelKind = {
  kind: 'object',
  name: 'file',
  fields: {
    path: { type: STRING },
    name: { type: STRING },
    folder: { type: STRING },
    extension: { type: STRING },
    language: { type: STRING },
    size: { type: INT },
    in_test: { type: BOOL },
    last_author: { type: STRING, needs: 'history' },
    days_since_change: { type: INT, needs: 'history' },
    ...Object.fromEntries(METRIC_NAMES.map(name => [name, { type: INT, needs: 'metrics' as const }])),
  },
}

const FOLDER: CelKind = {
  kind: 'object',
  name: 'folder',
  fields: { path: { type: STRING }, name: { type: STRING }, files: { type: listOf(FILE) } },
}

const DEPENDENCY: CelKind = {
  kind: 'object',
  name: 'dependency',
  fields: {
    name: { type: STRING },
    version: { type: STRING },
    ecosystem: { type: STRING },
    scope: { type: STRING },
    pinned: { type: BOOL },
    manifest: { type: STRING },
    line: { type: INT },
  },
}

const FINDING: CelKind = {
  kind: 'object',
  name: 'finding',
  fields: {
    rule: { type: STRING },
    severity: { type: STRING },
    category: { type: STRING },
    title: { type: STRING },
    file: { type: STRING },
    line: { type: INT },
    cwe: { type: listOf(STRING) },
    in_test: { type: BOOL },
  },
}

const GIT: CelKind = {
  kind: 'object',
  name: 'git',
  fields: {
    branch: { type: STRING },
    commit: { type: STRING },
    last_author: { type: STRING },
    last_author_email: { type: STRING },
    days_since_last_commit: { type: INT },
    signed: { type: BOOL },
  },
}

/** What every expression can name. */
export const SHARED_VARIABLES: Readonly<Record<string, CelField>> = {
  files: { type: listOf(FILE) },
  dependencies: { type: listOf(DEPENDENCY), needs: 'dependencies' },
  findings: { type: listOf(FINDING), needs: 'findings' },
  git: { type: GIT, needs: 'git' },
}

/** What an expression can name in addition, by what it is evaluated for. */
export const SUBJECT_VARIABLES: Readonly<Record<string, Readonly<Record<string, CelField>>>> = {
  repository: {},
  file: { file: { type: FILE } },
  folder: { folder: { type: FOLDER } },
  dependency: { dependency: { type: DEPENDENCY, needs: 'dependencies' } },
  finding: { finding: { type: FINDING, needs: 'findings' } },
}

/** The type as a message names it. */
export function formatKind(type: CelKind): string {
  if (type.kind === 'list') return `list(${formatKind(type.of)})`
  if (type.kind === 'map') return `map(${formatKind(type.key)}, ${formatKind(type.value)})`
  return type.kind === 'object' ? type.name : type.kind
}

/** Whether a value of one type can be where the other is wanted; what is dynamic can be anywhere. */
export function isAssignable(from: CelKind, to: CelKind): boolean {
  if (from.kind === 'dyn' || to.kind === 'dyn') return true
  if (from.kind === 'list' && to.kind === 'list') return isAssignable(from.of, to.of)
  if (from.kind === 'map' && to.kind === 'map')
    return isAssignable(from.key, to.key) && isAssignable(from.value, to.value)
  if (from.kind === 'object') return to.kind === 'map' || (to.kind === 'object' && to.name === from.name)
  return from.kind === to.kind
}

/** The type of what is one or the other; the more exact one where they go together. */
export function joinKinds(a: CelKind, b: CelKind): CelKind {
  if (a.kind === 'dyn') return b
  if (b.kind === 'dyn') return a
  if (a.kind === 'list' && b.kind === 'list') return listOf(joinKinds(a.of, b.of))
  return isAssignable(a, b) ? a : DYN
}
