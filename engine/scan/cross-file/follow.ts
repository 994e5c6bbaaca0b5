import type { Finding } from '../../base/records/finding.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { DroppedPlace, Notice } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { WholeRepository } from '../whole-repository.ts'
import type { CrossFileMemory, KnownFunctions } from './memory.ts'
import { CrossFileSearch, MOST_HOPS } from './search.ts'
import { CROSS_FILE_LANGUAGES } from './targets.ts'

/** How often input is followed on that comes back out of other files. */
export const ROUNDS = 2

/** What is followed: the code of a repository, with the rules that are on. */
export interface CrossFileRequest extends WholeRepository {
  /** Files of languages that call each other. */
  files: readonly SourceFile[]
  /** Rules that follow values, with those that are off (`addMuted`). */
  rules: readonly CompiledRule[]
  /** What was found in files by themselves. */
  found?: readonly Finding[]
  /** What files came to in the scan before; left out where nothing is to be taken from it or kept. */
  memory?: CrossFileMemory
  /** A part of the repository was scanned: only what its findings ask about is followed. */
  part?: { known?: KnownFunctions }
  /** Contents of files that are git's objects, by their paths; may grow while files are followed. */
  contents?: ReadonlyMap<string, Uint8Array>
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
 * through what these return. What lies within one file is not reported again. Bounded by counts, so that the same repository comes to the same on
 * every machine.
 */
export async function followAcrossFiles(request: CrossFileRequest): Promise<CrossFileResult> {
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
