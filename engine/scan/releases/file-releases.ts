import { setImmediate } from 'node:timers/promises'
import { readSource } from '../../base/disk/read.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { scanFile } from '../../detect/file/file-scan.ts'
import { RuleSet } from '../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { FileInput, Limits } from '../../detect/rules/file-outcome.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import { TreeCollector } from '../collector.ts'
import type { Reanalyzed } from './memory.ts'
import { isOfReleases } from './release-rules.ts'

/** A file that passes blocks to functions of other files: these by name, each with the number of the parameter that it frees. */
export interface AskingFile {
  file: SourceFile
  language: string
  elsewhere: [name: string, parameter: number][]
}

/** Files that are analyzed once more, in order. */
export interface ReleaseQuestion {
  root: string
  limits: Limits
  files: readonly AskingFile[]
}

/** What a file came to. */
export interface FileAnswer {
  own: Reanalyzed
  /** The bytes are those that git knows by the file's name of content. */
  isVerified: boolean
}

/** What files came to, in their order; nothing of one that is too large to parse or cannot be read: the search of its rules lists it. */
export type ReleaseAnswer = (FileAnswer | undefined)[]

/** Of this thread: what one question leaves behind, the next one frees. */
const trees = new TreeCollector()

/** Analyzes files with what is known of the functions of others. Of the rules those are asked that report releases. */
export async function answerReleases(
  { root, limits, files }: ReleaseQuestion,
  rules: readonly CompiledRule[],
  signal?: AbortSignal,
): Promise<ReleaseAnswer> {
  registerGrammars()
  const set = setOf(rules)
  const answer: ReleaseAnswer = []
  for (const { file, language, elsewhere } of files) {
    signal?.throwIfAborted()
    const bytes = readSource(root, file, limits.max_parse_bytes)
    if (!(bytes instanceof Uint8Array)) {
      answer.push(undefined)
      continue
    }
    const input: FileInput = { path: file.path, language, in_test: false, bytes, elsewhere: new Map(elsewhere) }
    const isVerified = file.oid !== undefined && file.oid === computeGitName(bytes, file.oid)
    answer.push({ own: analyze(set, input, file, limits), isVerified })
    // Timers and signals have their turn.
    await trees.parsed(bytes.length)
    await setImmediate()
  }
  return answer
}

/** Made once of the rules of a thread: its prefilter takes longer to make than to ask for some files. */
const sets = new WeakMap<readonly CompiledRule[], RuleSet>()

function setOf(rules: readonly CompiledRule[]): RuleSet {
  const set = sets.get(rules) ?? new RuleSet(rules.filter(isOfReleases))
  sets.set(rules, set)
  return set
}

function analyze(rules: RuleSet, input: FileInput, file: SourceFile, limits: Limits): Reanalyzed {
  if (file.encoding !== undefined) input.encoding = file.encoding
  if (file.class !== undefined) {
    input.class = file.class
    input.reach = 'severe'
  }
  const { matches, failures } = scanFile(rules, input, limits)
  return { matches, failures }
}
