/** What a construct of a program is to a review. */
export const MARK_KINDS = [
  'endpoint',
  'store',
  'queue',
  'service',
  'outbound',
  'command',
  'child',
  'files',
  'consumer',
  'tool',
  'auth',
  'control',
  'concurrency',
  'schema',
  'swallowed',
  'crypto',
] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/**
 * How a construct is written, for a search over the text without its comments. Quantifiers are bounded, so that the search takes
 * time linear to the text. Groups: `method` and `path` of an endpoint, `name` of anything else.
 */
export interface Form {
  /** Of the technology or construct, as a reader knows it. */
  name: string
  languages: readonly string[]
  /** The file must contain one of these; empty for no condition. */
  needs: readonly string[]
  pattern: RegExp
  /** Code, and what must be found in it: the marks' keys. None: nothing may be found. */
  examples: readonly (readonly [code: string, ...keys: string[]])[]
}

export const JAVASCRIPT: readonly string[] = ['javascript', 'typescript', 'tsx', 'jsx', 'vue', 'svelte']
export const JVM: readonly string[] = ['java', 'kotlin', 'scala', 'groovy']
