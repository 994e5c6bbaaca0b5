import { findBlockEnd } from '../code/blocks.ts'
import { type CodeFile, makeCodeFile } from '../code/code-file.ts'
import { HANDLER } from '../code/endpoints.ts'
import type { MarkKind } from '../code/forms.ts'
import { listMarks, type Mark } from '../code/marks.ts'
import type { Sides, Unread } from '../content.ts'
import { digestCode, type FoundDecision } from './decision.ts'
import { findNewDependencies } from './dependencies.ts'
import { WORDINGS, type Wording } from './wording.ts'

/** Kinds that are new where nothing in the repository had them; of the others each new line counts. */
const BY_KEY = new Set<MarkKind>(['endpoint', 'store', 'queue', 'service', 'outbound', 'command', 'consumer'])
/** Kinds of which the rest of the repository may have the same already. */
export const SHARED = new Set<MarkKind>(['store', 'queue', 'service', 'outbound', 'command', 'consumer'])

/** What the deterministic part of a design review finds. */
export interface FoundDecisions {
  decisions: FoundDecision[]
  unread: Unread[]
}

/**
 * The design decisions of a change, without a model: constructs that the files have after it and had not before. `elsewhere` says
 * which keys of marks the unchanged files have. Tests are left out. Pure but for loading parsers of manifests.
 */
export async function findDecisions(
  files: readonly Sides[],
  elsewhere: (keys: ReadonlySet<string>) => ReadonlySet<string> | Promise<ReadonlySet<string>>,
): Promise<FoundDecisions> {
  const before: Mark[] = []
  const after: Mark[] = []
  const texts = new Map<string, CodeFile>()
  for (const { path, in_test, before: old, after: now } of files) {
    if (in_test) continue
    if (old !== undefined) before.push(...listMarks(makeCodeFile(path, old)))
    if (now === undefined) continue
    const file = makeCodeFile(path, now)
    texts.set(path, file)
    after.push(...listMarks(file))
  }
  const { added, unread } = await findNewDependencies(files.filter(({ in_test }) => !in_test))
  const fresh = removeKnown(after, before)
  const asked = new Set(fresh.filter(({ kind }) => SHARED.has(kind)).map(({ key }) => key))
  const known = asked.size === 0 ? new Set<string>() : await elsewhere(asked)
  const gone = removeKnown(before, after).filter(({ kind }) => WORDINGS[kind]?.removed !== undefined)
  const decisions: FoundDecision[] = added.map(({ file, line, ecosystem, name, requirement }) =>
    describe(texts.get(file)!, WORDINGS.dependency!, 'dependency', {
      ...{
        line,
        symbol: '',
        summary: `New dependency ${name} (${ecosystem}${requirement === '' ? '' : ` ${requirement}`})`,
      },
      isLine: true,
    }),
  )
  for (const mark of fresh) {
    const wording = WORDINGS[mark.kind]
    if (wording === undefined || known.has(mark.key) || mark.detail === HANDLER) continue
    const replaced = takeReplaced(gone, mark)
    const summary = word(replaced ? (wording.changed ?? wording.added) : wording.added, mark)
    decisions.push(
      describe(texts.get(mark.file)!, wording, mark.kind, { line: mark.line, symbol: mark.symbol, summary }),
    )
  }
  for (const mark of gone) {
    const file = texts.get(mark.file)
    // A file that is gone takes its checks with it.
    if (file !== undefined) decisions.push(describeRemoval(file, mark))
  }
  return { decisions: decisions.sort(byPlace), unread }
}

/** The marks of one side that the other does not have: first those at the same place, then those that moved. */
function removeKnown(marks: readonly Mark[], others: readonly Mark[]): Mark[] {
  const keys = new Set(others.filter(({ kind }) => BY_KEY.has(kind)).map(({ key }) => key))
  const identities: ((mark: Mark) => string)[] = [
    ({ file, symbol, key, evidence }) => `${file}\0${symbol}\0${key}\0${evidence}`,
    ({ key, evidence }) => `${key}\0${evidence}`,
  ]
  let left = marks.filter(({ key }) => !keys.has(key))
  let rest = others.filter(({ kind }) => !BY_KEY.has(kind))
  for (const identify of identities) {
    const counts = new Map<string, number>()
    for (const mark of rest) counts.set(identify(mark), (counts.get(identify(mark)) ?? 0) + 1)
    const taken = new Map<string, number>()
    left = left.filter(mark => {
      const id = identify(mark)
      const count = counts.get(id) ?? 0
      if (count === 0) return true
      counts.set(id, count - 1)
      taken.set(id, (taken.get(id) ?? 0) + 1)
      return false
    })
    rest = rest.filter(mark => {
      const count = taken.get(identify(mark)) ?? 0
      if (count > 0) taken.set(identify(mark), count - 1)
      return count === 0
    })
  }
  return onceEach(left)
}

/** A construct that counts by its key once, at its first place. */
function onceEach(marks: readonly Mark[]): Mark[] {
  const seen = new Set<string>()
  return marks.filter(({ kind, key, file, line }) => {
    const id = BY_KEY.has(kind) ? key : `${key}\0${file}\0${line}`
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
}

/** Takes the removed mark that a new one stands in place of. */
function takeReplaced(gone: Mark[], { kind, file, symbol }: Mark): Mark | undefined {
  const at = gone.findIndex(mark => mark.kind === kind && mark.file === file && mark.symbol === symbol)
  return at === -1 ? undefined : gone.splice(at, 1)[0]
}

function word(template: string, { name, kind, symbol, evidence }: Mark): string {
  const text = template.replaceAll('{name}', name)
  if (kind === 'endpoint' || template.includes('{name}')) return text
  return `${text}${symbol === '' ? '' : ` in ${symbol}`}: ${evidence.slice(0, 120)}`
}

interface Place {
  line: number
  symbol: string
  summary: string
  /** The decision speaks of this line alone. */
  isLine?: true
}

function describe(
  file: CodeFile,
  wording: Wording,
  kind: string,
  { line, symbol, summary, isLine }: Place,
): FoundDecision {
  const lines = file.code.split('\n')
  const end_line = isLine ? line : findBlockEnd(lines, line)
  return {
    ...takeWording(wording, kind),
    ...{ summary, file: file.path, line, end_line, symbol },
    evidence: foldLine(lines[line - 1]),
    code_digest: digestCode(lines.slice(line - 1, end_line).join('\n')),
  }
}

/** A removed check: at the function that had it, or at the top where that is gone too. */
function describeRemoval(file: CodeFile, mark: Mark): FoundDecision {
  const wording = WORDINGS[mark.kind]!
  const lines = file.code.split('\n')
  const at = mark.symbol === '' ? -1 : lines.findIndex(line => line.includes(mark.symbol))
  const line = at === -1 ? 1 : at + 1
  return {
    ...takeWording(wording, mark.kind),
    ...{ summary: word(wording.removed!, mark), file: file.path, line, end_line: line, symbol: mark.symbol },
    evidence: mark.evidence,
    code_digest: digestCode(`removed ${mark.evidence}`),
  }
}

function takeWording({ category, alternatives, risk, risk_level, question }: Wording, kind: string) {
  return {
    category,
    kind,
    source: 'rule' as const,
    alternatives: [...alternatives],
    risk,
    risk_level,
    question,
    confidence: 1,
  }
}

/** A line with its white space folded, as evidence keeps it. */
export function foldLine(line = ''): string {
  return line.slice(0, 400).trim().replace(/\s+/g, ' ')
}

function byPlace(a: FoundDecision, b: FoundDecision): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || (a.summary < b.summary ? -1 : 1)
}
