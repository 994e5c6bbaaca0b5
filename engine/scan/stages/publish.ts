import { countStates } from '../../base/records/ledger.ts'
import { listRuleIds } from '../../base/records/rule-ids.ts'
import type { Notice, Run } from '../../base/records/run.ts'
import { VULNERABILITIES_RULE } from '../../base/records/vulnerable-components.ts'
import { VERSION } from '../../base/version.ts'
import { computeRating } from '../../findings/rating.ts'
import { computeComplianceScore } from '../../findings/score.ts'
import type { UnreadFile } from '../../gate/unread.ts'
import type { Config } from '../../sources/config/load.ts'
import { coverFrameworks } from '../../sources/packs/coverage.ts'
import { listOwnLibraries, OWN_LIBRARIES } from '../../sources/packs/libraries/known.ts'
import { describeLibraries } from '../../sources/packs/libraries/silencing.ts'
import { countAll, listClockNotices, listEvaluatedRules, sortNotices } from '../tally.ts'
import { listToReview } from '../to-review.ts'
import type { Collected } from './collect.ts'
import type { Detected } from './detect.ts'
import type { Judged } from './judge.ts'

/** Stage 4: the record of the run, as out/run.json has it. Nothing is written here. */
export function publish(collected: Collected, detected: Detected, judged: Judged): Run {
  const { request, id, started, selection, rules } = collected
  const { merge, listing, files, followed, scope, skipped, notEvaluated } = detected
  const { findings, known, unread } = judged
  const evaluated = listEvaluatedRules(
    rules.filter(({ review }) => !review),
    files,
    notEvaluated,
  )
  const rulesByPack = new Map<string, number>()
  for (const { pack_id } of rules) rulesByPack.set(pack_id, (rulesByPack.get(pack_id) ?? 0) + 1)
  const finished = request.now()
  const run: Run = {
    id,
    started_at: started.toISOString(),
    finished_at: finished.toISOString(),
    duration_ms: finished.getTime() - started.getTime(),
    tool_version: VERSION,
    root_name: listing.root.split('/').at(-1) || listing.root,
    ...(listing.git_sha === undefined ? {} : { git_sha: listing.git_sha }),
    ...(listing.branch === undefined ? {} : { branch: listing.branch }),
    scope: request.scope,
    packs: selection.packs.map(pack => ({
      id: pack.id,
      version: pack.version,
      rules: rulesByPack.get(pack.id) ?? 0,
    })),
    packs_reason: selection.reason,
    ...(selection.disabled.length > 0 && { packs_disabled: selection.disabled }),
    counts: countAll(findings, files, skipped, listRuleIds(evaluated.map(({ id }) => id)).length, merge.bytes),
    ledger: countStates({ scope, partly: merge.partly, skipped }),
    skipped,
    partly: merge.partly,
    not_evaluated: notEvaluated,
    ...(known > 0 && { known_gaps: known }),
    silent_in_tests: merge.aside.listSilent(),
    excluded_by_rule: merge.aside.listExcluded(),
    dropped_across_files: merge.aside.listDropped(),
    to_review: listToReview(judged.toReview),
    notices: [
      ...judged.notices,
      ...detected.notices,
      ...(request.cache?.notices ?? []),
      ...sortNotices(merge.notices),
      ...listClockNotices([...skipped, ...merge.partly], notEvaluated),
      ...unreadNotices(unread),
      ...libraryNotices(listOwnLibraries(collected.packs)),
    ],
    cache: detected.cached,
  }
  run.rating = computeRating(findings, run)
  const partly = new Set(notEvaluated.map(({ rule_id }) => rule_id))
  const score = computeComplianceScore(evaluated, findings, partly)
  if (score !== undefined) run.score = score
  // A part of the repository can show that a control is violated, but never that it is met.
  if (followed && selection.packs.some(({ framework }) => framework))
    run.frameworks = coverFrameworks(
      selection.packs,
      { rules, findings, notEvaluated: [...notEvaluated, ...listNotAsked(request.config)] },
      followed.files,
    )
  return run
}

/** What libraries of the repository's own can silence, said with every scan: nobody sees a finding that they keep away. */
function libraryNotices(libraries: readonly object[]): Notice[] {
  const detail = describeLibraries(libraries)
  return detail === '' ? [] : [{ kind: 'own_libraries', file: OWN_LIBRARIES, detail }]
}

/** Vulnerabilities that a scan is configured not to look up are not known: no control may count as met for want of them. */
function listNotAsked({ vulns }: Pick<Config, 'vulns'>): { rule_id: string }[] {
  return vulns.in_scan ? [] : [{ rule_id: VULNERABILITIES_RULE }]
}

/** What the change has of source files that could not be searched, said where the scan is shown; once for all that were built. */
function unreadNotices(unread: readonly UnreadFile[]): Notice[] {
  const built = unread.filter(({ isBuilt }) => isBuilt)
  const said = unread.filter(file => !file.isBuilt || file === built[0])
  return said.map(({ path, detail, ...file }): Notice => {
    const reason = file.reason === 'minified' ? 'minified' : (detail ?? file.reason.replaceAll('_', ' '))
    const others = file.isBuilt && built.length > 1 ? `, as are ${built.length - 1} more files that were built` : ''
    return { kind: 'unread_file', file: path, detail: `not searched as source code: ${reason}${others}` }
  })
}
