import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import { findToday } from '../../assure/controls/load.ts'
import { checkEvidence } from '../../assure/evidence/check.ts'
import { readEvidence } from '../../assure/evidence/file.ts'
import { CheckedEvidenceType } from '../../assure/evidence/schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

/** What the output directory may have, and the command that makes it. */
const MADE = [
  ['report.html', 'Report of the scan', 'svc report'],
  ['report.sarif', 'Findings as SARIF', 'svc report --format sarif'],
  ['compliance-report.html', 'Compliance report', 'svc compliance-report'],
  ['evidence-export.html', 'Evidence package', 'svc evidence-export'],
  ['sbom.json', 'SBOM', 'svc sbom'],
  ['vulnerabilities.json', 'Vulnerabilities', 'svc vulns'],
  ['licenses.json', 'Licenses', 'svc licenses'],
  ['attestation.json', 'Attestation', 'svc attest'],
  ['trust-center.html', 'Trust center', 'svc trust-center'],
  ['risk-summary.html', 'Risk summary', 'svc risk-summary'],
] as const

/** The documents that were made, those that can be, and the evidence of people. */
export default defineOperation({
  id: 'pages.evidence',
  summary: 'Return the evidence page: documents made, how to make and verify them, evidence of people.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/evidence',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    documents: type({
      file: 'string',
      title: 'string',
      command: type('string').describe('the command that makes it'),
      made: 'boolean',
      'bytes?': 'number.integer',
      'at?': 'string',
    }).array(),
    verify: type('string').describe('the command that verifies the attestation'),
    evidence: sectionType(CheckedEvidenceType.array()),
  }),

  async run(_input, context) {
    const { cwd, env, signal } = context
    const out = await resolveOutputDirectory(context)
    const root = findRepositoryRoot(cwd)
    return {
      documents: MADE.map(([file, title, command]) => ({ file, title, command, ...lookAt(join(out, file)) })),
      verify: 'svc attest --verify',
      evidence: await readSection(
        { reason: 'No evidence of people is recorded.', command: 'svc evidence add' },
        async () => {
          const entries = await readEvidence(root)
          if (entries.length === 0) return undefined
          return checkEvidence(root, entries, await loadPacks(root), { today: findToday(env), signal })
        },
      ),
    }
  },

  text: ({ documents }) => documents.map(({ title, made }) => `${made ? 'made' : 'not made'}  ${title}`).join('\n'),
})

function lookAt(path: string): { made: boolean; bytes?: number; at?: string } {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() ? { made: true, bytes: stats.size, at: stats.mtime.toISOString() } : { made: false }
}
