import { fingerprint } from '../base/records/fingerprint.ts'
import type { SourceFile } from '../base/records/source-file.ts'
import { compileGlob } from '../base/text/glob.ts'
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
    if (rule.type !== 'file_policy') return
    const { check } = rule
    const excluded = rule.exclude_files.map(compileGlob)
    const found = (path: string, note?: string) => {
      const match = wholeFile(number, rule.id, path, note)
      out.push(excluded.some(takes => takes(path)) ? { path, match, excluded: true } : { path, match })
    }
    const looked = () => index.matching(rule.files)
    if ('forbidden_file' in check) for (const { path } of looked()) found(path)
    if ('naming' in check) {
      const expression = new RegExp(check.naming, 'u')
      for (const { path } of looked())
        if (!expression.test(path.split('/').at(-1)!)) found(path, `the name does not match ${check.naming}`)
    }
    if ('required_file' in check && whole && [...index.matching([check.required_file])].length === 0)
      found(check.required_file, `no file ${check.required_file} in the repository`)
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

export function knownMatch(rules: readonly CompiledRule[], { path, match, excluded }: PathMatch): KnownPathMatch {
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
    const isRequired = rule.type === 'file_policy' && 'required_file' in rule.check
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
    fingerprint: fingerprint(id, path, '', 0),
    snippet: '',
  }
  if (note !== undefined) match.note = note
  return match
}
