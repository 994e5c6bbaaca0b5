import type { Severity } from '../../base/records/finding.ts'
import type { CompiledCel } from './cel/compile.ts'

/** What every policy has, whatever it checks. */
interface PolicyBase {
  /** Unique in the file: suppressions and the baseline name it as `policies:<name>`. */
  name: string
  severity: Severity
  /** Why the rule exists; shown with each violation. */
  reason?: string
  /** Matches the globs of `except`: paths that the policy is not about. */
  isExempt: (path: string) => boolean
  /** Where it begins in the file, from 1. */
  line: number
}

/** Whether a path is one that the globs mean. */
export type PathFilter = (path: string) => boolean

export interface RequiredFiles {
  kind: 'required_files'
  globs: readonly { glob: string; matches: PathFilter; line: number }[]
}

export interface ForbiddenFiles {
  kind: 'forbidden_files'
  matches: PathFilter
}

export interface Naming {
  kind: 'naming'
  /** What has the name: the files that match, or directories. */
  of: 'files' | 'folders'
  matches: PathFilter
  /** Tests the whole name, or the part before the first dot where a style is asked for. */
  test: RegExp
  isStem: boolean
  /** How the message calls it. */
  wanted: string
}

export interface Structure {
  kind: 'structure'
  matches: PathFilter
  /** Each must match a file below the directory, relative to it. */
  contains: readonly { glob: string; matches: PathFilter }[]
  /** CODEOWNERS must name an owner. */
  owner: boolean
  /** A test file must lie below the directory. */
  test: boolean
}

export interface Content {
  kind: 'content'
  matches: PathFilter
  must_contain: readonly Expression[]
  must_not_contain: readonly Expression[]
}

/** A regular expression, with the text that the file has. */
export interface Expression {
  source: string
  expression: RegExp
}

export interface Dependencies {
  kind: 'dependencies'
  /** Manifests that it is about. */
  matches: PathFilter
  forbidden: readonly string[]
  required: readonly string[]
  pinned: boolean
  /** Scopes that it is about; all where empty. */
  scopes: readonly string[]
}

export interface Cel {
  kind: 'cel'
  /** What the expression is evaluated for: once, or for each of these. */
  for: CelSubject
  matches: PathFilter
  check: CompiledCel
  message?: CompiledCel
}

export const CEL_SUBJECTS = ['repository', 'file', 'folder', 'dependency', 'finding'] as const
export type CelSubject = (typeof CEL_SUBJECTS)[number]

export interface Opa {
  kind: 'opa'
  /** Path of the .wasm file or the bundle, relative to the repository. */
  module: string
  entrypoint?: string
  /** Document that the module reads as `data`. */
  data?: unknown
}

export type PolicyCheck = RequiredFiles | ForbiddenFiles | Naming | Structure | Content | Dependencies | Cel | Opa

export type Policy = PolicyBase & { check: PolicyCheck }

/** The keys of which each policy has exactly one. */
export const CHECK_KEYS = [
  'required_files',
  'forbidden_files',
  'naming',
  'structure',
  'content',
  'dependencies',
  'cel',
  'opa',
] as const satisfies readonly PolicyCheck['kind'][]

/** One way in which the repository does not obey a policy. */
export interface Violation {
  policy: string
  severity: Severity
  /** Repository-relative. */
  file: string
  /** From 1. */
  line: number
  message: string
  /** What exactly it is about, without line numbers: a part of the fingerprint. */
  subject: string
}

/** What could not be evaluated of a policy: unknown, never obeyed. */
export interface PolicyGap {
  policy: string
  /** Left out where it is about the policy as a whole. */
  file?: string
  reason: 'no_data' | 'timed_out' | 'rule_failed' | 'too_costly'
  detail: string
}

/** What the evaluation of policies came to. */
export interface PolicyResult {
  violations: Violation[]
  gaps: PolicyGap[]
}
