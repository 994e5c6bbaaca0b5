import { join, relative, resolve } from 'node:path'
import { type } from 'arktype'
import { attestRun, readNotaryKey } from '../../assure/attest/create.ts'
import { decideVerifyExit, type Judgment } from '../../assure/attest/verify.ts'
import { verifyPath } from '../../assure/attest/verify-path.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { openStore, type Store } from '../../sources/store/open.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

const JudgmentType = type({
  file: 'string',
  kind: type("'attestation' | 'in-toto statement' | 'audit bundle'").configure(
    { description: 'an attestation, an in-toto statement or an audit bundle' },
    'self',
  ),
  word: type("'notarized' | 'self-signed' | 'ALTERED' | 'no key here'").configure(
    { description: 'notarized, self-signed, ALTERED or no key here' },
    'self',
  ),
  reason: 'string',
  'attestation_sha256?': 'string',
  'notarized?': type('string').describe('the entry of a notary, for an attestation whose own key is not here'),
  'attestation_missing?': type('true').describe('true for a statement in a directory without an attestation'),
})

/** Attests a run: what was scanned, with what, and what came of it, signed; or verifies what was attested. */
export default defineOperation({
  id: 'assure.attest',
  summary: 'Sign an attestation of a run, or verify one.',
  effect: 'write',
  action: 'read_findings',
  cli: 'attest',
  rest: null,
  mcp: null,
  short: { output: 'o', run_id: 'r' },
  examples: [
    ['svc attest', 'write out/attestation.json with its in-toto statement and Sigstore bundle'],
    ['svc attest --verify out/attestation.json', 'verify it: exit 0, 1 if altered, 2 if the key is not here'],
    ['svc attest --slsa --cyclonedx', 'add a SLSA verification summary and CycloneDX attestations'],
    ['svc attest --notarize', 'have the notary of the configuration countersign the digest'],
    ['svc attest --verify release/ --key svc.pub.pem', 'verify every attestation in a directory with a public key'],
  ],
  input: type({
    run_id: type('string > 0')
      .describe('a run id, its prefix, or latest: the newest gate, or scan of the whole repository')
      .default('latest'),
    'output?': type('string > 0').describe('the file to write (default: attestation.json in the output directory)'),
    'verify?': type('string > 0').describe(
      'an attestation, an in-toto statement, a Sigstore bundle, an audit bundle, or a directory of them, to verify',
    ),
    'key?': type('string > 0').describe('a file with public keys in PEM to verify statements with, besides your own'),
    notarize: type('boolean')
      .describe('true or false: send the SHA-256 of the attestation to the notary and store its countersignature')
      .default(false),
    'notary_key?': type('string > 0').describe(
      "the notary's verifier key (default: GUARD_NOTARY_KEY, and to attest notary.key)",
    ),
    slsa: type('boolean')
      .describe('true or false: also write the gate result as a SLSA verification summary')
      .default(false),
    cyclonedx: type('boolean')
      .describe('true or false: also write the controls as CycloneDX 1.6 attestations')
      .default(false),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({
    'attestation?': type('object').describe('the signed document'),
    'files?': type('string[]').describe('the files that were written'),
    'verified?': JudgmentType.array(),
    'skipped?': type({ file: 'string', reason: 'string' })
      .array()
      .describe('files of the directory that are no such documents'),
  }),

  async run({ run_id, output, verify, key, notary_key, config: named, ...forms }, context) {
    const { cwd, env } = context
    const config = await loadConfig(cwd, { env, ...(named !== undefined && { path: resolve(cwd, named) }) })
    if (verify !== undefined) {
      const notary = readNotaryKey(notary_key, env)
      return await verifyPath(verify, { root: config.root, cwd, env, key, notary, notice: context.notice })
    }
    const out = locateOutput(config.root, env, config.output_dir)
    if (output === undefined) makeOut(out)
    const file = output === undefined ? join(out, 'attestation.json') : resolveOutputFile(cwd, output)
    const store = await openStore(out, context.notice)
    try {
      const request = { root: config.root, file, config, ...forms, ...(notary_key !== undefined && { notary_key }) }
      const id = run_id === 'latest' ? await findLatest(store) : run_id
      const { attestation, files } = await attestRun(store, id, request, context)
      return { attestation, files: files.map(path => relative(cwd, path) || path) }
    } finally {
      store.close()
    }
  },

  text({ attestation, files, verified, skipped = [] }, view) {
    if (verified) {
      const lines = verified.map(({ word, file, reason, attestation_missing }) => {
        const color = word === 'ALTERED' ? 'red' : word === 'no key here' || attestation_missing ? 'yellow' : 'green'
        return `${view.paint(color, word)}: ${escapeInvisibleLine(file)}: ${escapeInvisibleLine(reason)}.`
      })
      const others = skipped.map(({ file, reason }) => `Skipped: ${escapeInvisibleLine(file)}: ${reason}.`)
      return [...lines, ...others].join('\n')
    }
    const { run_id, gate_status, gate_run_id, tree_state, notarization } = attestation as Record<string, unknown>
    const unknown =
      tree_state === 'clean'
        ? ''
        : `\nThe work tree is ${tree_state === 'modified' ? 'modified' : 'not known to be that of the run'}: the commit is no subject of the statement.`
    return `${view.paint('green', notarization ? 'Notarized' : 'Attested')}: run ${run_id}, gate ${String(gate_status).replace('_', ' ')}${gate_run_id === undefined ? '' : ` (run ${gate_run_id} of the same tree)`}.\n${files!.join('\n')}${unknown}`
  },

  exit: ({ verified }) => (verified ? decideVerifyExit(verified as Judgment[]) : 0),
})

/** The run that is attested where none is named: a gate that ran last, whatever it was about, is never passed over for one that passed before. */
async function findLatest(store: Store): Promise<string> {
  const latest = await store.latest()
  return latest?.gate === undefined ? (await store.standing()).id : latest.id
}
