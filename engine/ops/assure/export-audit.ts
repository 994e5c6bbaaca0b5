import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { type } from 'arktype'
import { makeAttestation, readNotaryKey } from '../../assure/attest/create.ts'
import { exportPublicPem, loadSigningKey } from '../../assure/attest/keys.ts'
import { decideVerifyExit } from '../../assure/attest/verify.ts'
import { gatherKeys } from '../../assure/attest/verify-path.ts'
import { type BundleFile, writeArchive } from '../../assure/bundle/archive.ts'
import { gatherOutput, gatherRun, gatherSettings } from '../../assure/bundle/contents.ts'
import { signManifest } from '../../assure/bundle/manifest.ts'
import { renderReadme } from '../../assure/bundle/readme.ts'
import { verifyBundle } from '../../assure/bundle/verify.ts'
import { loadAssessment } from '../../assure/controls/load.ts'
import { makeEvidencePackages, renderCompliance } from '../../assure/documents/compliance.ts'
import { parseSourceDate } from '../../assure/model.ts'
import { computeKeyId } from '../../assure/notary/checkpoint.ts'
import { joinPieces } from '../../assure/report.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { ignoreUnreadable, readLinked } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import type { Run } from '../../base/records/run.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import type { GovernedContext } from '../../governance/context.ts'
import { exportLogUntil, makeHarnessFiles } from '../../governance/evidence/bundle.ts'
import { openGovernance } from '../../governance/governance-session.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { stateExists } from '../../sources/state/local-folder.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { openStore } from '../../sources/store/open.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

/** Everything about one run in one signed file, for somebody who does not have svc; or whether such a file is as it was signed. */
export default defineOperation({
  id: 'assure.export-audit',
  summary: 'Export a run with its evidence as a signed, reproducible ZIP, or verify one.',
  effect: 'write',
  action: 'read_audit',
  cli: 'export-audit',
  rest: null,
  mcp: null,
  short: { output: 'o', run_id: 'r' },
  examples: [
    ['svc export-audit', 'write out/audit-<run id>.zip of the latest run'],
    ['svc export-audit -r 20250131 -o evidence.zip', 'export an archived run'],
    ['svc export-audit --verify evidence.zip', 'name the first thing that does not fit: exit 0, 1 if altered'],
    ['svc export-audit --verify evidence.zip --key svc.pub.pem', "verify with the issuer's public key"],
  ],
  input: type({
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    'output?': type('string > 0').describe('the file to write (default: audit-<run id>.zip in the output directory)'),
    'verify?': type('string > 0').describe('a bundle to verify'),
    'key?': type('string > 0').describe('a file with public keys in PEM to verify with, besides your own'),
    'notary_key?': type('string > 0').describe("the notary's verifier key (default: GUARD_NOTARY_KEY, notary.key)"),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({
    'run_id?': 'string',
    'output?': 'string',
    'bytes?': 'number.integer',
    'files?': type('number.integer').describe('the number of files in the bundle, or verified before the first fault'),
    'missing?': type('string[]').describe('what is not in the bundle, and why'),
    'key_id?': type('string').describe('the SHA-256 of the public key that verifies the bundle'),
    'word?': type("'notarized' | 'self-signed' | 'ALTERED' | 'no key here'").configure(
      { description: 'the result of verifying a bundle' },
      'self',
    ),
    'reason?': 'string',
    'first?': type('string').describe('the first file that does not fit'),
  }),

  async run({ run_id, output, verify, key, notary_key, config: named }, context) {
    const { cwd, env } = context
    const config = await loadConfig(cwd, { env, ...(named !== undefined && { path: resolve(cwd, named) }) })
    const { root } = config
    if (verify !== undefined) {
      const bytes = ignoreUnreadable(() => readLinked(resolve(cwd, verify), 2 ** 31))
      if (!bytes) throw new EngineError('NOT_FOUND', `The bundle ${JSON.stringify(verify)} cannot be read.`)
      const notary = readNotaryKey(notary_key, env)
      const keys = await gatherKeys({ root, cwd, env, key, notary, notice: context.notice })
      const { judgment, ...rest } = await verifyBundle(verify, bytes, keys)
      return { word: judgment.word, reason: judgment.reason, ...rest }
    }
    const out = locateOutput(root, env, config.output_dir)
    const store = await openStore(out, context.notice)
    const temporary = mkdtempSync(join(tmpdir(), 'svc-bundle-'))
    try {
      const run = await store.run(run_id)
      const time = parseSourceDate(env.SOURCE_DATE_EPOCH) ?? new Date(run.finished_at)
      const findings = join(temporary, 'findings.jsonl')
      await store.copyFindings(run.id, findings)
      const ofRun = await gatherRun(run, { root, out, findings, options: { env, notice: context.notice } })
      const beside = gatherOutput(run, out)
      const attestations = beside.attestations.length > 0 ? beside.attestations : await attest(run, time)
      const judged = await gatherControls(run, time, { ...context, cwd: root })
      const governed = await gatherGovernance(run, root, time, context)
      const files = [
        ...ofRun.files,
        ...beside.files,
        ...attestations,
        ...judged.files,
        ...governed.files,
        ...gatherSettings(root, { ...config }),
      ]
      const missing = [...ofRun.missing, ...beside.missing, ...judged.missing, ...governed.missing]
      const signing = loadSigningKey(env)
      const key_id = computeKeyId(signing)
      const names = files.map(({ name }) => name)
      const readme = renderReadme({ run, keyId: key_id, publicPem: exportPublicPem(signing), missing, names })
      const all: BundleFile[] = [...files, { name: 'README.md', content: readme }]
      if (output === undefined) makeOut(out)
      const path = output === undefined ? join(out, `audit-${run.id}.zip`) : resolveOutputFile(cwd, output)
      makeFolders(dirname(path))
      const bytes = await writeArchive(path, [...all, ...(await signManifest(all, signing))], time)
      return { run_id: run.id, output: relative(cwd, path) || path, bytes, files: all.length + 2, missing, key_id }
    } finally {
      store.close()
      rmSync(temporary, { recursive: true, force: true })
    }

    async function attest({ id }: Run, time: Date): Promise<BundleFile[]> {
      const request = { root, config, notarize: false, slsa: false, cyclonedx: false }
      const { documents } = await makeAttestation(store, id, request, time, context)
      return documents.map(([ending, content]) => ({ name: `attestations/attestation${ending}`, content }))
    }
  },

  text({ run_id, output, bytes, files, missing = [], key_id, word, reason, first }, view) {
    if (word !== undefined) {
      const color = word === 'ALTERED' ? 'red' : word === 'no key here' ? 'yellow' : 'green'
      return `${view.paint(color, word)}: ${escapeInvisibleLine(reason ?? '')}.${first === undefined ? '' : `\nFirst fault: ${escapeInvisibleLine(first)}`}`
    }
    const lines = [`${view.paint('green', 'Exported')} run ${run_id}: ${output}, ${files} files, ${bytes} bytes.`]
    for (const sentence of missing) lines.push(view.paint('dim', `Not included: ${sentence}`))
    return [...lines, `Verify with key ${key_id}: svc export-audit --verify ${output}`].join('\n')
  },

  exit: ({ word }) => (word === undefined ? 0 : decideVerifyExit([{ word }])),
})

/** Findings above which controls are not assessed again: all of them would be in memory. */
const MOST_ASSESSED = 20_000

/** The evidence behind each control as of the run, with what people vouch for; of runs of everything. */
async function gatherControls(
  { id, scope, counts, frameworks }: Run,
  time: Date,
  context: GovernedContext,
): Promise<{ files: BundleFile[]; missing: string[] }> {
  if (scope !== 'everything' || !frameworks?.length) return { files: [], missing: [] }
  if (counts.findings > MOST_ASSESSED)
    return { files: [], missing: [`Evidence by control: the run has more than ${MOST_ASSESSED} findings.`] }
  const env = { ...context.env, SOURCE_DATE_EPOCH: String(Math.floor(time.getTime() / 1000)) }
  const assessment = await loadAssessment({ ...context, env }, { run_id: id })
  return {
    files: [
      { name: 'evidence/evidence.json', content: `${JSON.stringify(makeEvidencePackages(assessment), null, 1)}\n` },
      { name: 'evidence/compliance-report.html', content: joinPieces(renderCompliance('html', assessment)) },
    ],
    missing: [],
  }
}

/** The audit log up to the end of the run, and what agents did; nothing where nothing is governed. */
async function gatherGovernance(
  { finished_at }: Run,
  root: string,
  time: Date,
  context: GovernedContext,
): Promise<{ files: BundleFile[]; missing: string[] }> {
  if (!stateExists(root))
    return { files: [], missing: ['Audit log and activity of agents: the repository keeps no records of governance.'] }
  const governance = await openGovernance(context, root)
  const { lines, anchor } = exportLogUntil(governance, finished_at)
  const { json, html } = await makeHarnessFiles(governance, time, finished_at, context)
  return {
    files: [
      { name: 'audit/audit.jsonl', content: `${lines.join('\n')}\n` },
      { name: 'audit/anchor.txt', content: `${anchor}\n` },
      { name: 'harness/harness-report.json', content: json },
      { name: 'harness/harness-report.html', content: html },
    ],
    missing: [],
  }
}
