import { join } from 'node:path'
import { readStart } from '../../base/disk/read.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { Pack } from './pack.ts'
import { SIGNS, type Sign } from './signs.ts'

/** One thing that speaks for a pack. */
export interface PackEvidence {
  file: string
  /** From 1, where it is about a line. */
  line?: number
  what: string
}

/** A pack that fits, and what speaks for it. */
export interface PackSuggestion {
  pack: Pack
  why: string[]
  evidence: PackEvidence[]
}

/** Evidence that is given for a pack; more says no more. */
const MOST_EVIDENCE = 5
/** Bytes of a document or manifest that are looked at, and how many files. */
const MOST_BYTES = 262_144
const MOST_FILES = 300

const MANIFEST =
  /(?:^|\/)(?:package\.json|requirements[\w.-]*\.txt|pyproject\.toml|Pipfile|setup\.(?:py|cfg)|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|Cargo\.toml|[\w.-]+\.csproj)$/
const DOCUMENT = /^(?:[^/]+|docs?\/.+)\.(?:md|rst|adoc|txt)$|(?:^|\/)README[\w.]*$/i

type File = Pick<SourceFile, 'path' | 'language' | 'in_test'>

/**
 * The packs that fit what a repository holds, most evidence first: its languages, what its manifests require, files of a
 * kind, and what its documents speak of. Tests are no evidence. Reads at most a few hundred manifests and documents.
 */
export function suggestPacks(packs: readonly Pack[], root: string, files: readonly File[]): PackSuggestion[] {
  const found = new Map<string, PackSuggestion>()
  const add = (pack: Pack, why: string, evidence: PackEvidence) => {
    const suggestion = found.get(pack.id) ?? { pack, why: [], evidence: [] }
    if (!suggestion.why.includes(why)) suggestion.why.push(why)
    if (suggestion.evidence.length < MOST_EVIDENCE) suggestion.evidence.push(evidence)
    found.set(pack.id, suggestion)
  }
  // What svc keeps in a repository says nothing of it.
  const own = files.filter(({ in_test, path }) => !in_test && !path.startsWith('.svc/'))
  for (const pack of packs) if (!pack.framework) byLanguages(pack, own, add)
  const meant = (sign: Sign) =>
    packs.filter(({ id }) => sign.packs.some(prefix => id === prefix || id.startsWith(`${prefix}-`)))
  for (const { sign, evidence } of signsIn(root, own)) for (const pack of meant(sign)) add(pack, sign.why, evidence)
  return [...found.values()].sort((a, b) => b.evidence.length - a.evidence.length || (a.pack.id < b.pack.id ? -1 : 1))
}

function byLanguages(
  pack: Pack,
  files: readonly File[],
  add: (pack: Pack, why: string, evidence: PackEvidence) => void,
): void {
  for (const language of pack.languages) {
    const of = files.filter(file => file.language === language)
    const [first] = of
    if (first)
      add(pack, `${language} files`, {
        file: first.path,
        what: `${of.length} ${of.length === 1 ? 'file' : 'files'} in ${language}`,
      })
  }
}

function* signsIn(root: string, files: readonly File[]): Generator<{ sign: Sign; evidence: PackEvidence }> {
  for (const sign of SIGNS) {
    if (!sign.path) continue
    for (const { path } of files)
      if (sign.path.test(path)) yield { sign, evidence: { file: path, what: 'a file of this name' } }
  }
  const readable = (kind: RegExp) => files.filter(({ path }) => kind.test(path)).slice(0, MOST_FILES)
  const requiring = SIGNS.filter(sign => sign.dependencies).map(sign => ({
    sign,
    expression: dependency(sign.dependencies!),
  }))
  for (const { path } of readable(MANIFEST)) yield* linesWith(root, path, requiring, name => `requires ${name}`)
  const speaking = SIGNS.filter(sign => sign.words).map(sign => ({ sign, expression: sign.words! }))
  for (const { path } of readable(DOCUMENT)) yield* linesWith(root, path, speaking, word => `says “${word}”`)
}

/** Each sign at most once a file, at the first line that shows it. */
function* linesWith(
  root: string,
  path: string,
  signs: readonly { sign: Sign; expression: RegExp }[],
  what: (found: string) => string,
): Generator<{ sign: Sign; evidence: PackEvidence }> {
  const left = new Set(signs)
  for (const [index, line] of textOf(join(root, path)).split('\n').entries()) {
    for (const each of left) {
      const match = each.expression.exec(line)
      if (!match) continue
      left.delete(each)
      yield { sign: each.sign, evidence: { file: path, line: index + 1, what: what(match[1] ?? match[0]) } }
    }
  }
}

/** A line of any manifest that requires one of these packages, its name standing alone. */
function dependency(names: readonly string[]): RegExp {
  const any = names.map(name => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return new RegExp(`(?:^\\s*|["'>])(${any})(?=\\s*(?:["'<=>~!;\\[,@]|$))`, 'i')
}

function textOf(path: string): string {
  const content = readStart(path, MOST_BYTES)
  // A file that has gone meanwhile, or that may not be read, is no evidence.
  return content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : ''
}
