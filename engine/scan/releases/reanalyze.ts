import type { ControlRef, Finding, FlowStep } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import type { Notice } from '../../base/records/run.ts'
import { formatCount } from '../../base/text/words.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Limits } from '../../detect/rules/file-outcome.ts'
import type { Match } from '../../detect/rules/match.ts'
import { toFinding } from '../merge.ts'
import { isSmall } from '../plan.ts'
import type { Perform } from '../tasks.ts'
import { type AskingFile, answerReleases, type ReleaseAnswer } from './file-releases.ts'
import { joinReleases, type KnownRelease } from './known-releases.ts'
import type { Reanalyzed, ReleaseMemory } from './memory.ts'
import type { SharedReleases } from './shared-releases.ts'

/** Files that are analyzed once more; a program that has more is reported as not followed. */
const MOST_FILES = 2000

/** What is analyzed: the files of a repository that need to know of each other, with the rules about releases that are on. */
export interface ReleaseRequest {
  root: string
  shared: SharedReleases
  rules: readonly CompiledRule[]
  limits: Limits
  controls: ReadonlyMap<string, ControlRef[]>
  /** Whether a rule is on for a path. */
  applies(rule: string, path: string): boolean
  /** What files came to in the scan before; left out where nothing is to be taken from it or kept. */
  memory?: ReleaseMemory
  /** Performs a task on a thread; left out where there is none. */
  perform?: Perform | undefined
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
  const { root, rules, limits, memory, perform, signal } = request
  const known = joinReleases(request.shared)
  const result: ReleaseResult = { findings: [], notices: [] }
  const asking = request.shared.listAsking(known)
  const files = asking.slice(0, MOST_FILES)
  const found = new Map<AskingFile, Reanalyzed>()
  for (const each of files) {
    const own = memory?.find(each.file, describeKnown(each))
    if (own) found.set(each, own)
  }
  const unknown = files.filter(each => !found.has(each))
  const answer =
    perform && !isSmall(unknown.map(({ file }) => file))
      ? await performInTurns(unknown, files => perform({ kind: 'releases', question: { root, limits, files } }))
      : await answerReleases({ root, limits, files: unknown }, rules, signal)
  answer.forEach((each, at) => {
    if (!each) return
    const asked = unknown[at]!
    found.set(asked, each.own)
    const isLasting = each.own.failures.every(({ reason }) => reason !== 'timed_out')
    if (isLasting && each.isVerified) memory?.keep(asked.file, describeKnown(asked), each.own)
  })
  for (const asked of files) {
    const own = found.get(asked)
    if (!own) continue
    for (const match of own.matches) report(request, asked, match, known, result.findings)
    const [failure] = own.failures
    if (failure)
      result.notices.push({
        kind: 'calls_not_followed',
        file: asked.file.path,
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

/** Asks so many files at once: few enough that all threads have some, and enough that asking costs nothing. */
const FILES_AT_ONCE = 50

async function performInTurns(
  files: readonly AskingFile[],
  ask: (files: readonly AskingFile[]) => Promise<ReleaseAnswer>,
): Promise<ReleaseAnswer> {
  const turns: Promise<ReleaseAnswer>[] = []
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) turns.push(ask(files.slice(at, at + FILES_AT_ONCE)))
  return (await Promise.all(turns)).flat()
}

/** What is known of the functions that a file calls, as a text that is the same where that is. */
function describeKnown({ elsewhere }: AskingFile): string {
  return JSON.stringify(elsewhere)
}

function report(
  { rules, controls, applies }: ReleaseRequest,
  { file, language }: AskingFile,
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
