import { readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { type } from 'arktype'
import { parseTime } from '../../audit/time.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { exportPublicPem, loadSigningKey, makeEnvelope } from '../../governance/evidence/attest.ts'
import { collect } from '../../governance/evidence/collect.ts'
import { renderEvidence } from '../../governance/evidence/html.ts'
import { verifyReport } from '../../governance/evidence/verify.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { readKnownKeys } from '../../sources/state/key.ts'
import { locateLocalState } from '../../sources/state/local-folder.ts'
import { seal } from '../../sources/state/seal.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

const FORMATS = ['html', 'json'] as const

export default defineOperation({
  id: 'governance.harness-report',
  summary: 'Write a signed report of agent activity and its approvals, or verify one.',
  effect: 'read',
  action: 'read_audit',
  unbound: true,
  cli: 'harness-report',
  rest: 'GET /api/harness-report',
  mcp: 'generate_harness_report',
  short: { output: 'o' },
  input: type({
    format: type
      .enumerated(...FORMATS)
      .configure({ description: 'html or json' }, 'self')
      .default('html'),
    'since?': type('string > 0').describe('an earliest date or time, such as 2025-01-31'),
    'output?': type('string > 0').describe(
      'an output file, or - for standard output (default: out/harness-report.<format>)',
    ),
    'attest?': type('string > 0').describe(
      'an output file for an in-toto statement of the report, signed with Ed25519; the public key is written next to it',
    ),
    'verify?': type('string > 0').describe(
      'a report to verify: exit 0 if valid, 1 if altered, 2 if the key is missing',
    ),
    '+': 'reject',
  }),
  output: type({
    format: type.enumerated(...FORMATS),
    'content?': type('string').describe('the report, if it was not written to a file'),
    'output?': 'string',
    'attestation?': 'string',
    'public_key?': 'string',
    'verdict?': type
      .enumerated('valid', 'ALTERED', 'no key here')
      .configure({ description: 'the verification result of a report' }, 'self'),
    'reason?': 'string',
    'summary?': type({
      sessions: 'number.integer',
      violated: 'number.integer',
      anomalous: 'number.integer',
      approvals: 'number.integer',
      entries: 'number.integer',
      sound: 'boolean',
    }),
  }),
  examples: [
    ['svc harness-report --since 2025-01-01', 'write out/harness-report.html'],
    [
      'svc harness-report --format json -o evidence.json --attest evidence.dsse.json',
      'write JSON with an attestation that openssl can verify',
    ],
    ['svc harness-report --verify out/harness-report.html', 'verify the signature of a report'],
  ],
  raw: {
    field: 'content',
    type: ({ format }) => (format === 'html' ? 'text/html; charset=utf-8' : 'application/json'),
  },

  async run({ format, since, output, attest, verify }, context) {
    const { cwd, surface, env } = context
    if (surface !== 'cli' && (verify !== undefined || attest !== undefined || (output !== undefined && output !== '-')))
      throw new EngineError('FORBIDDEN', 'Files can be named on the command line only.', {
        hint: 'Omit output, attest and verify.',
      })
    if (verify !== undefined) {
      const { verdict, reason } = verifyReport(
        readReport(cwd, verify),
        readKnownKeys(env, locateLocalState(findRepositoryRoot(cwd))),
      )
      return { format, verdict, reason }
    }
    const governance = await openGovernance(context)
    const evidence = await collect(governance, since === undefined ? null : parseTime(since), context)
    const sealed = seal(evidence as unknown as Record<string, unknown>, governance.state.keyring.signing).text
    const content = format === 'html' ? renderEvidence(evidence, sealed) : `${sealed}\n`
    const { task_binding, anomalies, human_approvals, audit_trail } = evidence.sections
    const summary = {
      sessions: task_binding.sessions.length,
      violated: task_binding.by_status.violated ?? 0,
      anomalous: anomalies.by_verdict.anomalous ?? 0,
      approvals: human_approvals.approvals.length,
      entries: audit_trail.entries,
      sound: audit_trail.fault === null,
    }
    if (surface !== 'cli' || output === '-') return { format, content, summary }
    const path =
      output === undefined
        ? join(await resolveOutputDirectory({ cwd: governance.root, env: context.env }), `harness-report.${format}`)
        : resolveOutputFile(cwd, output)
    writeOutput(path, content)
    const written = { format, output: relative(cwd, path) || path, summary }
    if (attest === undefined) return written
    const key = loadSigningKey(env)
    const file = resolveOutputFile(cwd, attest)
    writeOutput(file, `${JSON.stringify(makeEnvelope(evidence, basename(path), content, key))}\n`)
    writeOutput(`${file}.pub.pem`, exportPublicPem(key))
    return { ...written, attestation: relative(cwd, file), public_key: `${relative(cwd, file)}.pub.pem` }
  },

  text({ content, output, attestation, public_key, verdict, reason, summary }, view) {
    if (verdict) return `${view.paint(verdict === 'valid' ? 'green' : 'red', verdict)}: ${reason}.`
    if (content !== undefined) return content
    const s = summary!
    return [
      `${view.paint('green', 'Written')}: ${output}.`,
      `${formatCount(s.sessions, 'task')} (${s.violated} violated, ${s.anomalous} anomalous), ${formatCount(s.approvals, 'approval')}, ${formatCount(s.entries, 'audit entry', 'audit entries')}; the audit log is ${s.sound ? 'as it was written' : view.paint('red', 'not as it was written')}.`,
      ...(attestation ? [`Attested in ${attestation}; verify it with ${public_key}.`] : []),
    ].join('\n')
  },

  exit: ({ verdict }) => (verdict === 'ALTERED' ? 1 : verdict === 'no key here' ? 2 : 0),
})

function readReport(cwd: string, name: string): string {
  try {
    return readFileSync(resolve(cwd, name), 'utf8')
  } catch (error) {
    throw new EngineError('NOT_FOUND', `The report ${name} cannot be read.`, { cause: error })
  }
}
