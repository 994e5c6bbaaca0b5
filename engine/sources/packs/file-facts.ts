import { compileGlob } from '../../base/text/glob.ts'
import { PathIndex } from '../repository/path-index.ts'
import type { Mappable, Obligation, Pack } from './pack.ts'

/** What coverage looks at of a rule. */
export type CheckingRule = Mappable & { languages: readonly string[]; files: string[]; exclude_files: string[] }

/** What facts are made of. */
export interface FactInput {
  rules: readonly CheckingRule[]
  /** The files that were looked at. */
  files: readonly { path: string; language: string }[]
  /** Paths of the repository that hold something, those of skipped files included. */
  paths: readonly string[]
}

/** What the repository's files have to do with controls; of two lists of files it is what each has to do with them, joined. */
export interface FileFacts {
  /** By the ids of the rules that bear on a control and look at one of the files or more, the path of one. */
  with_files: Record<string, string>
  /** The first few files that can be evidence, by pack and obligation. */
  evidence: Record<string, string[]>
}

/** The facts for these packs; `rules` are those that bear on a control of theirs. */
export function gatherFileFacts(packs: readonly Pack[], { rules, files, paths }: FactInput): FileFacts {
  const index = new PathIndex(paths.map(path => ({ path })))
  const evidence: FileFacts['evidence'] = {}
  for (const pack of packs) {
    if (!pack.framework) continue
    for (const obligation of pack.obligations) {
      const found = obligation.files.length === 0 ? [] : [...index.matching(obligation.files)].map(({ path }) => path)
      evidence[makeEvidenceKey(pack, obligation)] = [...new Set(found)].sort().slice(0, EVIDENCE_LISTED)
    }
  }
  return { with_files: rulesWithFiles(rules, files), evidence }
}

export function joinFileFacts(a: FileFacts, b: FileFacts): FileFacts {
  const both = Object.keys(a.evidence).map(key => {
    const files = new Set([...a.evidence[key]!, ...b.evidence[key]!])
    return [key, [...files].sort().slice(0, EVIDENCE_LISTED)] as const
  })
  return { with_files: { ...b.with_files, ...a.with_files }, evidence: Object.fromEntries(both) }
}

export function makeEvidenceKey({ id }: Pack, obligation: Obligation): string {
  return `${id} ${obligation.id}`
}

/** By the ids of the rules that look at one of the files or more, the path of one. */
function rulesWithFiles(rules: readonly CheckingRule[], files: FactInput['files']): Record<string, string> {
  const index = new PathIndex(files)
  const byLanguage = new Map<string, { path: string; language: string }[]>()
  for (const file of files) {
    const same = byLanguage.get(file.language)
    if (same) same.push(file)
    else byLanguage.set(file.language, [file])
  }
  const fileOf = ({ languages, files: globs, exclude_files }: CheckingRule) => {
    const any = languages.includes('any')
    const excluded = exclude_files.map(compileGlob)
    const isOwn = ({ path, language }: { path: string; language: string }) =>
      (any || languages.includes(language)) && !excluded.some(takes => takes(path))
    if (globs.length > 0) return [...index.matching(globs)].find(isOwn)
    if (any) return files.find(isOwn)
    for (const language of languages) {
      const found = byLanguage.get(language)?.find(isOwn)
      if (found) return found
    }
    return undefined
  }
  const found: Record<string, string> = {}
  for (const rule of rules) {
    const file = fileOf(rule)
    if (file) found[rule.id] = file.path
  }
  return found
}

/** Enough to look at; a glob may match thousands. */
const EVIDENCE_LISTED = 5
