import { escapeHtml } from '../../base/text/visible.ts'
import type { Assessment } from '../controls/assessment.ts'
import { renderPage } from '../documents/page.ts'
import { renderCode, renderNotes, renderTable } from '../documents/parts.ts'
import { NO_CERTIFICATE } from '../documents/wording.ts'

/** The evidence of people and of the run by control, as a page that prints; `assessment` shows no directories. */
export function* renderAuditorEvidence({ run, frameworks, evidence }: Assessment): Iterable<string> {
  yield* renderPage(`Evidence of ${run.root_name}`, run.tool_version, [
    `<main><h1>Evidence of ${escapeHtml(run.root_name)}</h1>`,
    renderNotes([NO_CERTIFICATE, `Run ${run.id}, finished ${run.finished_at}, scope ${run.scope}.`]),
    '<h2>Vouched for by people</h2>',
    renderTable(
      'Evidence that people vouch for',
      ['Control', 'Title', 'Owner', 'Observed', 'Expires', 'State', 'SHA-256'].map(name => ({ name })),
      evidence.map(entry => [
        ...[entry.control, entry.title, entry.owner, entry.observed_at, entry.expires ?? '', entry.state].map(
          escapeHtml,
        ),
        renderCode(entry.sha256?.slice(0, 16) ?? ''),
      ]),
    ),
    ...frameworks.flatMap(({ name, controls }) => [
      `<h2>${escapeHtml(name)}</h2>`,
      renderTable(
        `Evidence by control: ${name}`,
        ['Control', 'Title', 'State', 'Rules', 'Not evaluated', 'Findings', 'Evidence'].map(name => ({
          name,
        })),
        controls.map(control => [
          ...[control.id, control.title, control.state].map(escapeHtml),
          ...[control.rules.length, control.not_evaluated.length, control.findings.length, control.evidence.length].map(
            String,
          ),
        ]),
      ),
    ]),
    '</main>',
  ])
}
