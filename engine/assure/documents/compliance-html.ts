import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import type { FindingFacts } from '../../sources/store/finding-facts.ts'
import type {
  AssessedControl,
  AssessedFramework,
  AssessedRule,
  Assessment,
  RuleOutcome,
} from '../controls/assessment.ts'
import { describeRun } from '../controls/provenance.ts'
import type { CheckedEvidence } from '../evidence/check.ts'
import { type Html, renderPage } from './page.ts'
import { renderBar, renderCode, renderFacts, renderNotes, renderState, renderTable } from './parts.ts'
import { describeCompleteness, describeCoverage, formatTime, NO_CERTIFICATE } from './wording.ts'

/** Findings that are listed for one control; the others are counted. */
const LISTED = 10

/** The compliance report as one HTML document: a summary, then each framework with its controls and what stands behind them. */
export function renderComplianceHtml(assessment: Assessment): Iterable<string> {
  const { run } = assessment
  return renderPage(`${run.root_name}: compliance report`, run.tool_version, body(assessment))
}

function* body(assessment: Assessment): Iterable<Html> {
  const { run, frameworks, evidence } = assessment
  yield `<main>\n<p class="kicker">Compliance report</p>\n<h1>${escapeHtml(run.root_name)}</h1>\n<p class="soft">${NO_CERTIFICATE}</p>\n`
  yield renderSummary(frameworks)
  yield `<h2>How this was observed</h2>\n${renderRunFacts(assessment)}`
  for (const framework of frameworks) yield* renderFramework(framework)
  yield renderEvidence(evidence)
  yield `</main>\n<footer>Run ${renderCode(run.id)}, written by svc ${escapeHtml(run.tool_version)}. The states follow from the run and the evidence file; <code>svc evidence-export --all --json</code> gives the same as data.</footer>\n`
}

/** Population, period, tool, input and output of the run. */
export function renderRunFacts({ run, digests, generated_at }: Assessment): Html {
  const { population, period, tool, input, output } = describeRun(run, digests)
  return renderFacts([
    ['Population', escapeHtml(population)],
    ['Period', `${formatTime(period.from)} to ${formatTime(period.to)}`],
    ['Tool', escapeHtml(tool)],
    ['Input', escapeHtml(input)],
    ['Output', escapeHtml(output)],
    ['Document dated', formatTime(generated_at)],
  ])
}

function renderSummary(frameworks: readonly AssessedFramework[]): Html {
  if (frameworks.length === 0)
    return renderNotes(['No framework was on in this run: add one with svc add-pack and scan again.'])
  const rows = frameworks.map(framework => [
    `<a href="#${anchor(framework.id)}">${escapeHtml(framework.name)}</a>`,
    framework.coverage === undefined ? '–' : `${framework.coverage} %`,
    ...(['met', 'violated', 'manual', 'not_evaluated', 'not_applicable'] as const).map(state =>
      groupDigits(framework.counts[state]),
    ),
    renderBar(framework.counts),
  ])
  const columns = ['Met', 'Violated', 'Manual', 'Not evaluated', 'Not applicable'].map(name => ({ name, number: true }))
  return `<h2>Frameworks</h2>\n${renderTable(
    'Coverage is met / (met + violated). Manual controls and those that were not evaluated are not in it.',
    [{ name: 'Framework' }, { name: 'Coverage', number: true }, ...columns, { name: 'Controls' }],
    rows,
  )}`
}

function* renderFramework(framework: AssessedFramework): Iterable<Html> {
  yield `<section aria-labelledby="${anchor(framework.id)}"><h2 id="${anchor(framework.id)}">${escapeHtml(framework.name)}</h2>\n`
  yield `<p><strong>${escapeHtml(describeCoverage(framework))}.</strong> ${escapeHtml(describeCompleteness(framework))}</p>\n`
  yield renderNotes(framework.caveats)
  yield renderTable(
    `Controls of ${framework.name} (pack ${framework.pack_id} ${framework.pack_version})`,
    [{ name: 'Control' }, { name: 'State' }, { name: 'What stands behind it' }],
    framework.controls.map(control => [
      `${renderCode(control.id)} ${escapeHtml(control.title)}<br><small>${escapeHtml(control.meaning)}</small>`,
      renderState(control.state),
      renderBasis(control),
    ]),
  )
  yield '</section>\n'
}

/** Reason, rules, findings, documents and evidence of a control. */
function renderBasis({ reason, rules, findings, obligations, evidence }: AssessedControl): Html {
  const lines: Html[] = [
    ...(rules.length > 0 ? [renderRules(rules)] : []),
    ...findings.slice(0, LISTED).map(renderFinding),
    ...(findings.length > LISTED
      ? [`and ${formatCount(findings.length - LISTED, 'more finding')}, in findings.json`]
      : []),
    ...obligations.map(
      ({ title, evidence, files }) =>
        `${escapeHtml(title)}: ${files.length > 0 ? `possible evidence ${files.map(renderCode).join(', ')}` : `no file (asked for: ${escapeHtml(evidence)})`}`,
    ),
    ...evidence.map(renderEntry),
  ]
  return `${escapeHtml(reason)}${lines.length > 0 ? `<ul>${lines.map(line => `<li>${line}</li>`).join('')}</ul>` : ''}`
}

function renderRules(rules: readonly AssessedRule[]): Html {
  const count = (outcome: RuleOutcome) => rules.filter(rule => rule.outcome === outcome).length
  const missing = rules.filter(({ outcome }) => outcome === 'not_evaluated').map(({ id }) => renderCode(id))
  const names = missing.slice(0, LISTED).join(', ')
  const more = missing.length > LISTED ? ` and ${groupDigits(missing.length - LISTED)} more` : ''
  const without = count('no_files')
  return [
    `Rules: ${groupDigits(count('evaluated'))} evaluated`,
    ...(without > 0 ? [`${groupDigits(without)} without a file in the repository`] : []),
    ...(missing.length > 0 ? [`${groupDigits(missing.length)} not evaluated: ${names}${more}`] : []),
  ].join('; ')
}

function renderFinding({ severity, title, file, line, status, suppression }: FindingFacts): Html {
  const accepted = status === 'suppressed' ? ` accepted: ${escapeHtml(suppression?.reason ?? '')}` : ''
  return `${severity}${status === 'open' ? '' : ` (${status})`}: ${escapeHtml(title)}, ${renderCode(`${file}:${line}`)}${accepted}`
}

function renderEntry({ title, owner, observed_at, expires, state, file, url, sha256 }: CheckedEvidence): Html {
  const until = expires === undefined ? '' : `, expires ${expires}`
  const digest = sha256 === undefined ? '' : ` <small>sha256 ${sha256.slice(0, 16)}…</small>`
  return `Evidence (${state.replaceAll('_', ' ')}): ${escapeHtml(title)}, ${escapeHtml(owner)}, ${observed_at}${until}: ${renderCode(file ?? url!)}${digest}`
}

function renderEvidence(evidence: readonly CheckedEvidence[]): Html {
  if (evidence.length === 0) return ''
  return `<h2>Evidence of people</h2>\n${renderTable(
    'What a named person vouches for. Only valid evidence counts.',
    [{ name: 'Evidence' }, { name: 'Control' }, { name: 'Person' }, { name: 'Period' }, { name: 'State' }],
    evidence.map(each => [
      `${escapeHtml(each.title)}<br><small>${renderCode(each.file ?? each.url!)}${each.sha256 === undefined ? '' : ` sha256 ${each.sha256}`}</small>`,
      renderCode(each.control),
      escapeHtml(each.owner),
      `${each.observed_at} to ${each.expires ?? 'no date'}`,
      `${escapeHtml(each.state.replaceAll('_', ' '))}<br><small>${escapeHtml(each.reason)}</small>`,
    ]),
  )}`
}

function anchor(id: string): string {
  return `framework-${id.replace(/[^\w-]/g, '_')}`
}
