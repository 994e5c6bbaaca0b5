import { escapeHtml } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { type Html, renderPage } from './page.ts'
import { renderBar, renderCode, renderFacts, renderFigures, renderNotes, renderTable } from './parts.ts'
import type { TrustCenter, TrustFramework } from './trust-center.ts'
import { describeCompleteness, formatTime } from './wording.ts'

const GATES: Record<TrustCenter['gate'], string> = { passed: 'passed', failed: 'failed', not_run: 'was not run' }

/** The public page as one HTML document. It is made from the public summary alone. */
export function renderTrustHtml(center: TrustCenter): Iterable<string> {
  return renderPage(`${center.organization}: trust center`, center.tool.replace(/^svc /, ''), body(center))
}

function* body(center: TrustCenter): Iterable<Html> {
  const { organization, scanned_at, generated_at, population, gate, gate_run_id, frameworks, evidence, tool } = center
  yield `<main>\n<p class="kicker">Trust center</p>\n<h1>${escapeHtml(organization)}</h1>\n<p class="soft">How we check our software, as of ${formatTime(scanned_at)}.</p>\n`
  yield renderFigures([
    [groupDigits(frameworks.length), frameworks.length === 1 ? 'framework' : 'frameworks'],
    [groupDigits(population.files), 'files scanned'],
    [groupDigits(population.rules), 'rules evaluated'],
    [groupDigits(evidence.valid), 'documents that people vouch for'],
  ])
  yield '<h2>Frameworks</h2>\n'
  if (frameworks.length === 0) yield renderNotes(['No framework was evaluated.'])
  for (const framework of frameworks) yield renderFramework(framework)
  yield `<h2>How this was observed</h2>\n${renderFacts([
    [
      'Population',
      `${formatCount(population.files, 'file')} scanned, ${formatCount(population.skipped, 'file')} skipped; ${formatCount(population.not_evaluated, 'rule')} not evaluated on at least one file`,
    ],
    ['Scanned', formatTime(scanned_at)],
    ['Published', formatTime(generated_at)],
    ['Tool', escapeHtml(tool)],
    [
      'Quality gate',
      `The gate ${GATES[gate]} on the scanned tree${gate_run_id === undefined ? '' : `, in run ${escapeHtml(gate_run_id)}`}.`,
    ],
    [
      'Evidence',
      `${formatCount(evidence.total, 'document')}, ${groupDigits(evidence.valid)} of them valid on the day of publication`,
    ],
  ])}`
  yield renderVerification(center)
  yield `</main>\n<footer>${escapeHtml(center.statement)}</footer>\n`
}

function renderFramework({
  name,
  source,
  counts,
  coverage,
  summary,
  complete,
  controls_total,
  badge,
}: TrustFramework): Html {
  const rows = (['met', 'violated', 'manual', 'not_evaluated', 'not_applicable'] as const).map(state =>
    groupDigits(counts[state]),
  )
  const judged = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const whole =
    controls_total === null || controls_total <= judged
      ? ''
      : ` The framework has ${groupDigits(controls_total)} controls; ${groupDigits(controls_total - judged)} are outside of what is scanned.`
  const title =
    source === null || !source.startsWith('https://')
      ? escapeHtml(name)
      : `<a href="${escapeHtml(source)}" rel="noreferrer">${escapeHtml(name)}</a>`
  return `<section><h3>${title}</h3>\n<p>${badge}</p>\n${renderBar(counts)}\n<p><strong>${escapeHtml(summary)}.</strong> ${escapeHtml(describeCompleteness({ counts, complete, ...(coverage !== null && { coverage }) }))}${whole}</p>\n${renderTable(
    `Controls of ${name} by state`,
    [
      { name: 'Coverage' },
      ...['Met', 'Violated', 'Manual', 'Not evaluated', 'Not applicable'].map(name => ({ name, number: true })),
    ],
    [[coverage === null ? '–' : `${coverage} %`, ...rows]],
  )}</section>\n`
}

function renderVerification({ attestation }: TrustCenter): Html {
  const steps =
    attestation === null
      ? ['No signed statement of this scan is published. Ask us for one.']
      : [
          `Ask us for the signed statement of ${formatTime(attestation.generated_at)}; its SHA-256 is ${attestation.sha256}.`,
          'Check the digest with sha256sum, and the signature with svc attest --verify, openssl or any verifier of DSSE envelopes.',
          'The figures on this page must be those of the statement.',
        ]
  const digest = attestation === null ? '' : `<p>Digest: ${renderCode(attestation.sha256)}</p>\n`
  return `<h2>How to verify</h2>\n${renderNotes(steps)}${digest}`
}
