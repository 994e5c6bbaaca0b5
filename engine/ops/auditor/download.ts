import { type } from 'arktype'
import { runAsAuditor } from '../../assure/auditors/access.ts'
import { renderAuditorEvidence } from '../../assure/auditors/evidence-page.ts'
import { hideInAssessment, makeHider } from '../../assure/auditors/portal.ts'
import { loadAssessment } from '../../assure/controls/load.ts'
import { renderCompliance } from '../../assure/documents/compliance.ts'
import { makeTrustCenter } from '../../assure/documents/trust-center.ts'
import { renderTrustHtml } from '../../assure/documents/trust-center-html.ts'
import { joinPieces } from '../../assure/report.ts'
import { defineOperation } from '../../door/operation.ts'
import { runWithStore } from '../../sources/store/open.ts'

/** A report for an auditor: HTML that prints, without code and directories. */
export default defineOperation({
  id: 'auditor.download',
  summary: 'Download a report with an auditor token.',
  effect: 'read',
  action: null,
  unbound: true,
  open: true,
  cli: null,
  rest: 'GET /api/auditor/download',
  mcp: null,
  raw: { field: 'content', type: () => 'text/html; charset=utf-8' },
  input: type({
    token: type('string > 0').describe('an auditor token with the scope evidence'),
    type: type("'compliance' | 'evidence' | 'trust-center'")
      .configure({ description: 'compliance, evidence or trust-center' }, 'self')
      .default('compliance'),
    '+': 'reject',
  }),
  output: type({ content: 'string' }),

  run: ({ token, type: wanted }, context) =>
    runAsAuditor(
      token,
      { action: 'auditor.download', target: wanted, scope: 'evidence' },
      context,
      async (_auditor, _state, root) => {
        const own = { ...context, cwd: root }
        const assessment = await loadAssessment(own)
        const paths = await runWithStore(own, store => store.files(assessment.run.id))
        const hide = await makeHider(root, [
          ...paths.map(({ path }) => path),
          ...assessment.run.skipped.map(({ path }) => path),
          ...assessment.evidence.flatMap(({ file }) => file ?? []),
        ])
        const hidden = hideInAssessment(assessment, hide)
        const pieces =
          wanted === 'evidence'
            ? renderAuditorEvidence(hidden)
            : wanted === 'trust-center'
              ? renderTrustHtml(makeTrustCenter(hidden, hidden.run.root_name))
              : renderCompliance('html', hidden)
        return { content: joinPieces(pieces) }
      },
    ),

  text: ({ content }) => content,
})
