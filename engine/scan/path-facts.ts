import { createHash } from 'node:crypto'
import type { FileRecord } from '../base/records/run.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { compileGlob } from '../base/text/glob.ts'
import { findPathJudge } from '../detect/file/path-judges.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { type FileFacts, gatherFileFacts, joinFileFacts } from '../sources/packs/file-facts.ts'
import type { Pack } from '../sources/packs/pack.ts'
import { computeRuleDigest } from '../sources/packs/packed.ts'
import type { KeptFiles } from './kept-files.ts'
import { joinPathMatches, judgePaths, type KnownPathMatch, makeKnownMatch, type PathMatch } from './path-policies.ts'
import type { ScannedFiles } from './scanned-files.ts'

/**
 * What a list of files comes to by paths and languages alone: the same whatever stands in the files, and of two lists what each
 * comes to, joined. So it is kept of the files that have not changed since the last scan.
 */
export interface PathFacts {
  policies: KnownPathMatch[]
  files: FileFacts
}

/** A list of files as facts are made of it. */
export interface FactFiles {
  listed: readonly SourceFile[]
  /** Those that were looked at. */
  scanned: readonly Pick<FileRecord, 'path' | 'language'>[]
  /** Paths of those that hold something, and of what was skipped. */
  paths: readonly string[]
}

/** What facts are made with. */
export interface FactRules {
  rules: readonly CompiledRule[]
  packs: readonly Pack[]
  /** The rules that bear on a control. */
  controls: ReadonlyMap<string, unknown>
}

/** What of the rules and packs decides the facts of a list of files. */
export function makeFactsKey({ rules, packs, controls }: FactRules): string {
  const looking = rules.map(rule => [
    ...[rule.id, rule.languages, rule.files, rule.exclude_files],
    findPathJudge(rule) ? computeRuleDigest(rule) : null,
  ])
  const owed = packs.map(({ id, obligations }) => [id, obligations])
  const text = JSON.stringify([looking, owed, [...controls.keys()]])
  return createHash('sha256').update(text).digest('hex')
}

/** Facts of all the files of a repository, or of a part of them; that rules look at some file is not asked of those `known` to. */
export function computePathFacts(
  { rules, packs, controls }: FactRules,
  { listed, scanned, paths }: FactFiles,
  known: readonly string[] = [],
): PathFacts {
  const isKnown = new Set(known)
  return {
    policies: judgePaths(rules, listed, true).map(found => makeKnownMatch(rules, found)),
    files: gatherFileFacts(packs, {
      rules: rules.filter(({ id }) => controls.has(id) && !isKnown.has(id)),
      files: scanned,
      paths,
    }),
  }
}

/** What the two parts of a repository come to together. */
export function joinPathFacts(
  rules: readonly CompiledRule[],
  a: PathFacts,
  b: PathFacts,
): { policies: PathMatch[]; files: FileFacts } {
  return { policies: joinPathMatches(rules, a.policies, b.policies), files: joinFileFacts(a.files, b.files) }
}

/** Whether what was known of the kept files still holds, joined with that of the others: nothing of it rests on a file that is no longer among them. */
export function factsHold(
  { policies, files: { with_files, evidence } }: PathFacts,
  rules: readonly CompiledRule[],
  { kept, listed, files }: { kept: KeptFiles; listed: readonly SourceFile[]; files: ScannedFiles },
): boolean {
  const gone = [...kept.dropped].filter(row => !isThere(kept, row, listed, files)).map(row => kept.table.path(row))
  if (gone.length === 0) return true
  const witnesses = new Set([
    ...Object.values(with_files),
    ...Object.values(evidence).flat(),
    ...policies.map(({ path }) => path),
  ])
  const required = rules.flatMap(rule => findPathJudge(rule)?.listRequired(rule) ?? [])
  const isRequired = required.map(compileGlob)
  return gone.every(path => !witnesses.has(path) && !isRequired.some(takes => takes(path)))
}

/** Whether the file stands among the others as it stood among the kept ones, but for its content. */
function isThere({ table }: KeptFiles, row: number, listed: readonly SourceFile[], files: ScannedFiles): boolean {
  const path = table.path(row)
  const before = table.file(row)
  const now = listed.find(file => file.path === path)
  if (!now || now.language !== before.language || now.size > 0 !== before.size > 0) return false
  return table.extra(row)?.skip !== undefined || files.get(path)?.language === table.language(row)
}
