import { readSource } from '../../base/disk/read.ts'
import type { ControlRef, Finding, FlowStep } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import type { Notice } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { formatCount } from '../../base/text/words.ts'
import { scanFile } from '../../detect/file/file-scan.ts'
import { RuleSet } from '../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { FileInput, Limits } from '../../detect/rules/file-outcome.ts'
import type { Match } from '../../detect/rules/match.ts'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { computeGitName } from '../../sources/repository/git.ts'
import { type Merge, toFinding } from '../merge.ts'
import { joinReleases, type KnownRelease } from './known-releases.ts'
import type { Reanalyzed, ReleaseMemory } from './memory.ts'

/** Files that are analyzed once more; a program that has more is reported as not followed. */
const MOST_FILES = 2000

/** What is analyzed: the files of a repository that need to know of each other, with the rules about releases that are on. */
export interface ReleaseRequest {
  root: string
  shared: Merge['releases']
  rules: readonly CompiledRule[]
  limits: Limits
  controls: ReadonlyMap<string, ControlRef[]>
  /** Whether a rule is on for a path. */
  applies(rule: string, path: string): boolean
  /** What files came to in the scan before; left out where nothing is to be taken from it or kept. */
  memory?: ReleaseMemory
  signal: AbortSignal
}

/** What was found, and what was not evaluated. */
export interface ReleaseResult {
  findings: Finding[]
  notices: Notice[]
}

/**
 * What files of C and C++ do wrong with blocks that functions of other files free: each that passes them one which it uses or frees again is analyzed
 * once more, and what is by these functions is reported. Bounded by counts, so that the same repository comes to the same on every machine.
 */
export async function findByReleases(request: ReleaseRequest): Promise<ReleaseResult> {
  registerGrammars()
  const { root, rules, limits, memory, signal } = request
  const known = joinReleases(request.shared)
  const set = new RuleSet(rules)
  const result: ReleaseResult = { findings: [], notices: [] }
  const asking = listAsking(request.shared, known)
  for (const { file, language, names } of asking.slice(0, MOST_FILES)) {
    signal.throwIfAborted()
    const elsewhere = new Map(names.map(name => [name, known.get(name)!.parameter]))
    const key = JSON.stringify([...elsewhere])
    let own = memory?.find(file, key)
    if (!own) {
      // Timers and signals have their turn.
      await new Promise(resolve => setImmediate(resolve))
      const bytes = readSource(root, file, limits.max_parse_bytes)
      // What is too large to parse or cannot be read is listed by the search of its rules.
      if (!(bytes instanceof Uint8Array)) continue
      own = analyze(set, { path: file.path, language, in_test: false, bytes, elsewhere }, file, limits)
      const isLasting = own.failures.every(({ reason }) => reason !== 'timed_out')
      if (isLasting && file.oid !== undefined && file.oid === computeGitName(bytes, file.oid))
        memory?.keep(file, key, own)
    }
    for (const match of own.matches) report(request, { file, language }, match, known, result.findings)
    const [failure] = own.failures
    if (failure)
      result.notices.push({
        kind: 'calls_not_followed',
        file: file.path,
        detail: `memory analysis did not follow all calls of functions of other files that free: ${failure.detail ?? failure.reason}`,
      })
  }
  const left = asking.length - MOST_FILES
  if (left > 0) {
    const detail = `memory analysis did not follow calls of functions of other files that free in ${formatCount(left, 'file')}: limit reached`
    result.notices.push({ kind: 'calls_not_followed', file: '.', detail })
  }
  return result
}

/** The files that pass a block to known functions and use it afterwards, by path, each with the names of these. */
function listAsking(shared: Merge['releases'], known: ReadonlyMap<string, KnownRelease>) {
  return shared
    .flatMap(({ file, language, facts }) => {
      const names = facts.asked.filter(name => known.has(name))
      return names.length > 0 && !file.in_test && file.blob === undefined ? { file, language, names } : []
    })
    .sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
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

function report(
  { rules, controls, applies }: ReleaseRequest,
  { file, language }: { file: SourceFile; language: string },
  match: Match,
  known: ReadonlyMap<string, KnownRelease>,
  findings: Finding[],
): void {
  const rule = rules[match.rule]!
  const { path, in_test, class: file_class } = file
  if (!applies(rule.id, path)) return
  const finding = toFinding(rule, match, { path, language, in_test, ...(file_class && { file_class }) }, controls)
  // Apart from the identities of what the search of the file itself found.
  const fingerprint = computeFingerprint(rule.id, path, `from another file: ${match.fingerprint}`, 0)
  const steps = finding.flow!
  const flow = steps.flatMap((step, at): FlowStep[] => {
    const release = known.get(/^freed by (\w+)$/.exec(step.label)?.[1] ?? '')
    if (!release) return [step]
    const { path: other, parameter: _, ...place } = release
    const freed = { file: other, ...place, label: 'freed here' }
    // The last step is where the finding is.
    return at === steps.length - 1 ? [freed, step] : [step, freed]
  })
  findings.push({ ...finding, id: `F-${fingerprint.slice(0, 12)}`, fingerprint, deterministic: false, flow })
}
