import { computeFingerprint } from '../base/records/fingerprint.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { compileGlob } from '../base/text/glob.ts'
import { findPathJudge } from '../detect/file/path-judges.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { Match } from '../detect/rules/match.ts'
import { PathIndex } from '../sources/repository/path-index.ts'

/** A match of a policy over the list of files; a required file that is missing is found at its own path. */
export interface PathMatch {
  path: string
  match: Match
  /** The rule's own `exclude_files` name the file: counted, and no finding. */
  excluded?: true
}

/** What the policies over the repository's list of files find: forbidden files, bad names, missing required files. `whole` is false where only a part of the files was listed, and then nothing can be missing. */
export function judgePaths(rules: readonly CompiledRule[], files: readonly SourceFile[], whole: boolean): PathMatch[] {
  const out: PathMatch[] = []
  const index = new PathIndex(files)
  rules.forEach((rule, number) => {
    const judge = findPathJudge(rule)
    if (!judge) return
    const excluded = rule.exclude_files.map(compileGlob)
    for (const { path, note } of judge.judge(rule, index, whole)) {
      const match = wholeFile(number, rule.id, path, note)
      out.push(excluded.some(takes => takes(path)) ? { path, match, excluded: true } : { path, match })
    }
  })
  return out
}

/** A match of a policy as a text, to be known again in a later scan. */
export interface KnownPathMatch {
  rule: string
  path: string
  note?: string
  excluded?: true
}

export function makeKnownMatch(rules: readonly CompiledRule[], { path, match, excluded }: PathMatch): KnownPathMatch {
  return {
    rule: rules[match.rule]!.id,
    path,
    ...(match.note !== undefined && { note: match.note }),
    ...(excluded && { excluded }),
  }
}

/** What the policies find in two lists of files taken together, from what they find in each: a required file is missing where neither has it. */
export function joinPathMatches(
  rules: readonly CompiledRule[],
  a: readonly KnownPathMatch[],
  b: readonly KnownPathMatch[],
): PathMatch[] {
  const keyOf = ({ rule, path }: KnownPathMatch) => `${rule}\0${path}`
  const [inA, inB] = [new Set(a.map(keyOf)), new Set(b.map(keyOf))]
  const byKey = new Map([...a, ...b].map(known => [keyOf(known), known]))
  const numbers = new Map(rules.map((rule, number) => [rule.id, number]))
  return [...byKey].flatMap(([key, { rule: id, path, note, excluded }]) => {
    const number = numbers.get(id)!
    const rule = rules[number]!
    const isRequired = (findPathJudge(rule)?.listRequired(rule) ?? []).length > 0
    if (isRequired && !(inA.has(key) && inB.has(key))) return []
    return { path, match: wholeFile(number, id, path, note), ...(excluded && { excluded }) }
  })
}

function wholeFile(rule: number, id: string, path: string, note: string | undefined): Match {
  const match: Match = {
    rule,
    line: 1,
    column: 1,
    end_line: 1,
    end_column: 1,
    confidence: 1,
    fingerprint: computeFingerprint(id, path, '', 0),
    snippet: '',
  }
  if (note !== undefined) match.note = note
  return match
}
