import { countToReview, formatDropped, type Run } from '../../../base/records/run.ts'
import { clip, escapeHtml } from '../../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../../base/text/words.ts'
import { groupBy, REASONS, type ReportModel } from '../../model.ts'

/** Names listed for one reason; the rest is counted, and run.json has it. */
const LISTED = 500

/** What was not checked, each with its reason: rules not evaluated, files skipped, suppressions without effect. */
export function* renderUnchecked(run: Run): Iterable<string> {
  yield '<section class="unchecked" aria-labelledby="unchecked-title"><div class="section-head"><h2 id="unchecked-title">Not checked</h2><p>Not evaluated is never passed</p></div>\n'
  yield* rules(run)
  yield silence(run)
  yield dropped(run)
  yield toReview(run)
  yield* files(run)
  yield* notices(run)
  yield '</section>\n'
}

/** Packs, languages and the facts that identify the run. */
export function renderAbout({ run, frameworks }: ReportModel): string {
  const packs = run.packs.map(
    pack =>
      `<li><code>${escapeHtml(pack.id)}</code> ${escapeHtml(pack.version)} <span>${formatCount(pack.rules, 'rule')}</span></li>`,
  )
  const languages = Object.entries(run.counts.languages).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const names = languages.map(
    ([name, count]) => `<li><code>${escapeHtml(name)}</code> <span>${groupDigits(count)}</span></li>`,
  )
  const standards = [...frameworks.values()].map(
    ({ name, version }) => `<li>${escapeHtml(name)} <span>${escapeHtml(version)}</span></li>`,
  )
  return `<section class="about" aria-labelledby="about-title"><div class="section-head"><h2 id="about-title">About this run</h2></div>
<div class="panel columns">
<div><h3>Packs</h3><p>${escapeHtml(run.packs_reason)}</p><ul class="pairs">${packs.join('')}</ul></div>
<div><h3>Files by language</h3><ul class="pairs">${names.join('')}</ul></div>
${standards.length > 0 ? `<div><h3>Frameworks</h3><ul class="pairs">${standards.join('')}</ul></div>` : ''}
<div><h3>Run</h3><ul class="pairs"><li>Id <span><code>${escapeHtml(run.id)}</code></span></li><li>svc <span>${escapeHtml(run.tool_version)}</span></li></ul></div>
</div></section>
`
}

function* rules(run: Run): Iterable<string> {
  const groups = groupBy(run.not_evaluated, entry => `${entry.rule_id}\n${entry.reason}`)
  const count = new Set(run.not_evaluated.map(entry => entry.rule_id)).size
  yield `<details class="panel" id="not-evaluated"${count > 0 && count <= 10 ? ' open' : ''}><summary>${heading(count, 'rule', 'not evaluated')}</summary>`
  if (count === 0) yield '<p class="calm">Every rule was evaluated for every file it applies to.</p>'
  for (const entries of groups.values()) {
    const { rule_id, reason } = entries[0]!
    const places = entries.map(entry => [entry.file ?? '', entry.detail ?? ''] as const)
    yield `<div class="reason"><p><code>${escapeHtml(rule_id)}</code> ${REASONS[reason]}</p>${names(places)}</div>\n`
  }
  yield '</details>\n'
}

function silence({ silent_in_tests = [] }: Run): string {
  if (silent_in_tests.length === 0) return ''
  const total = silent_in_tests.reduce((sum, { findings }) => sum + findings, 0)
  const places = silent_in_tests.map(
    ({ rule_id, findings, files }) =>
      [rule_id, `${formatCount(findings, 'match', 'matches')} in ${formatCount(files, 'test')}`] as const,
  )
  return `<details class="panel" id="silent-in-tests"><summary>${heading(total, 'match', 'in tests not reported', 'matches')}</summary><p>These rules skip test code, where their matches are harmless.</p>${names(places)}</details>\n`
}

function dropped({ dropped_across_files = [] }: Run): string {
  if (dropped_across_files.length === 0) return ''
  const total = dropped_across_files.reduce((sum, { findings }) => sum + findings, 0)
  const places = dropped_across_files.flatMap(({ rule_id, places }) =>
    places.map(place => [rule_id, formatDropped(place)] as const),
  )
  return `<details class="panel" id="dropped-across-files"><summary>${heading(total, 'finding', 'dropped')}</summary><p>Functions of other files sanitize the input, validate it, or do not return it.</p>${names(places)}</details>\n`
}

function toReview({ to_review = [] }: Run): string {
  if (to_review.length === 0) return ''
  const total = countToReview(to_review)
  const places = to_review.flatMap(({ rule_id, title, places }) =>
    places.map(({ file, line }) => [`${file}:${line}`, `${title} (${rule_id})`] as const),
  )
  return `<details class="panel" id="to-review"><summary>${heading(total, 'place', 'to review')}</summary><p>Rules of low confidence report these places. They are no findings: the gate and controls do not depend on them.</p>${names(places)}</details>\n`
}

function* files(run: Run): Iterable<string> {
  yield `<details class="panel" id="skipped"><summary>${heading(run.skipped.length, 'file', 'skipped')}</summary>`
  if (run.skipped.length === 0) yield '<p class="calm">Every file was read.</p>'
  for (const skips of groupBy(run.skipped, skip => skip.reason).values()) {
    const places = skips.map(skip => [skip.path, skip.detail ?? ''] as const)
    yield `<details class="reason"><summary>${formatCount(skips.length, 'file')}: ${REASONS[skips[0]!.reason]}</summary>${names(places)}</details>\n`
  }
  yield '</details>\n'
}

function* notices(run: Run): Iterable<string> {
  if (run.notices.length === 0) return
  const places = run.notices.map(
    notice => [`${notice.file}${notice.line ? `:${notice.line}` : ''}`, notice.detail] as const,
  )
  yield `<details class="panel" id="notices" open><summary>${heading(run.notices.length, 'notice', 'to review')}</summary>${names(places)}</details>\n`
}

function heading(count: number, noun: string, state: string, many = `${noun}s`): string {
  return `<strong>${groupDigits(count)}</strong> ${count === 1 ? noun : many} ${state}`
}

/** Names with what is said of each; what holds for no file in particular has only the latter. */
function names(places: readonly (readonly [name: string, detail: string])[]): string {
  const rows = places
    .filter(([name, detail]) => name || detail)
    .slice(0, LISTED)
    .map(
      ([name, detail]) =>
        `<li>${name && `<code>${escapeHtml(clip(name, 400))}</code>`} ${escapeHtml(clip(detail, 400))}</li>`,
    )
  if (places.length > LISTED)
    rows.push(`<li>and ${groupDigits(places.length - LISTED)} more, listed in <code>run.json</code></li>`)
  return rows.length > 0 ? `<ul class="names">${rows.join('')}</ul>` : ''
}
