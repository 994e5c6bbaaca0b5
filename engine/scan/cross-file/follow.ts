import type { Finding } from '../../base/records/finding.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { DroppedPlace, Notice } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { followsInput } from '../../detect/taint/runs.ts'
import { isSmall } from '../plan.ts'
import type { Perform } from '../tasks.ts'
import type { WholeRepository } from '../whole-repository.ts'
import { CrossFileMemory, type KnownFunctions, type Stored } from './memory.ts'
import { reportFollowed } from './report.ts'
import { CrossFileSearch, type FollowedFiles, MOST_HOPS } from './search.ts'
import { CROSS_FILE_LANGUAGES } from './targets.ts'

/** How often input is followed on that comes back out of other files. */
export const ROUNDS = 2

/** What is followed: the code of a repository, with the rules that are on. */
export interface SearchRequest extends Pick<WholeRepository, 'root' | 'limits' | 'signal'> {
  /** Files of languages that call each other. */
  files: readonly SourceFile[]
  /** Rules that follow values, with those that are off (`addMuted`). */
  rules: readonly CompiledRule[]
  /** What files came to in the scan before; left out where nothing is to be taken from it or kept. */
  memory?: CrossFileMemory
  /** A part of the repository was scanned: only what its findings ask about is followed. */
  part?: { known?: KnownFunctions }
  /** Contents of files that are git's objects, by their paths; may grow while files are followed. */
  contents?: ReadonlyMap<string, Uint8Array>
}

/** The same, and what is reported of it. */
export interface CrossFileRequest extends SearchRequest, WholeRepository {
  /** What was found in files by themselves. */
  found?: readonly Finding[]
  /** Performs a task on a thread; left out where there is none. */
  perform?: Perform | undefined
}

/** What a thread is asked to follow. */
export type FollowQuestion = Pick<SearchRequest, 'root' | 'limits' | 'files'>

/** What came of it, with what is kept of it for the next scan. */
export interface FollowedAnswer extends FollowedFiles {
  results: Stored['files']
}

/** What was found, and where input was not followed to the end; what rules found in files that they exclude is counted apart. */
export interface CrossFileResult {
  findings: Finding[]
  /** What was found in files by themselves, and is known not to be so, with the functions of other files that show it: they sanitize the input, or do not return it. */
  gone: ReadonlyMap<Finding, DroppedPlace['functions']>
  /** What was found in files by themselves, and has now been seen on all of its way, with the confidence of that. */
  surer: ReadonlyMap<Finding, number>
  excluded: { rule: string; file: string; lines: number[] }[]
  notices: Notice[]
}

/**
 * What reaches a sink in another file than it comes from: input is followed through calls of functions whose file their names lead to, and back
 * through what these return. What lies within one file is not reported again. Done on a thread where there is one and much is to be followed.
 * Bounded by counts, so that the same repository comes to the same on every machine.
 */
export async function followAcrossFiles(request: CrossFileRequest): Promise<CrossFileResult> {
  const { perform, memory, root, limits, files } = request
  if (!perform || memory?.isEmpty === false || isSmall(files))
    return reportFollowed(request, await followFiles(request))
  const followed = await perform({ kind: 'follow', question: { root, limits, files } })
  memory?.take(followed.results)
  return reportFollowed(request, followed)
}

/** Follows what a thread is asked to, with those of its rules that follow input. */
export async function answerFollow(question: FollowQuestion, rules: readonly CompiledRule[]): Promise<FollowedAnswer> {
  const memory = CrossFileMemory.begin()
  const { signal } = new AbortController()
  const followed = await followFiles({ ...question, rules: rules.filter(followsInput), memory, signal })
  return { ...followed, results: memory.results }
}

async function followFiles(request: SearchRequest): Promise<FollowedFiles> {
  const search = new CrossFileSearch(request)
  for (const file of request.files) {
    request.signal.throwIfAborted()
    await search.open(file)
  }
  for (let hop = 0; hop < MOST_HOPS && (await search.spread()); hop++) request.signal.throwIfAborted()
  for (let round = 0; round < ROUNDS && search.hasNext; round++) {
    for (let hop = 0; hop < MOST_HOPS && search.hasNext; hop++) await search.enter()
    search.dropNext()
    await search.settle()
  }
  search.dropNext()
  return search.conclude()
}

/** Whether a file is one whose calls are followed: code of the repository's own that is read from the disk. */
export function isFollowed({ language, in_test, class: file_class, blob }: SourceFile): boolean {
  const isOwn = !in_test && file_class === undefined && blob === undefined
  return isOwn && language !== null && CROSS_FILE_LANGUAGES.includes(language)
}

/** Those of the findings that no rule has at the same place already, each place once. */
export function dropKnown(findings: readonly Finding[], known: readonly Finding[]): Finding[] {
  const places = new Set(known.map(formatPlace))
  return findings.filter(finding => {
    const place = formatPlace(finding)
    if (places.has(place)) return false
    places.add(place)
    return true
  })
}

function formatPlace({ rule_id, file, line, column }: Finding): string {
  return JSON.stringify([resolveRuleId(rule_id), file, line, column])
}
