import { rmSync } from 'node:fs'
import type { Context } from '../../base/context.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import type { ATTESTATION_ENDINGS } from '../../base/records/attestation-files.ts'
import type { Run } from '../../base/records/run.ts'
import type { Settings } from '../../sources/config/schema.ts'
import { tryGit } from '../../sources/repository/git.ts'
import type { Store } from '../../sources/store/open.ts'
import { parseSourceDate } from '../model.ts'
import { type LogKey, parseVerifierKey } from '../notary/checkpoint.ts'
import { notarize } from '../notary/client.ts'
import { makeDeclarations } from './cyclonedx.ts'
import {
  type Attestation,
  digestAttestation,
  encodeCanonical,
  formatAttestation,
  makeStatement,
  signStatement,
  type TreeState,
} from './document.ts'
import { IN_TOTO, signEnvelope, toSigstoreBundle } from './envelope.ts'
import { loadSecret, loadSigningKey } from './keys.ts'
import { makeInToto, makeVerificationSummary } from './statement.ts'

/** What to attest, and in which forms. */
export interface AttestRequest {
  root: string
  /** The attestation's file; the others are beside it. */
  file: string
  config: Pick<Settings, 'notary'>
  notarize: boolean
  slsa: boolean
  cyclonedx: boolean
  notary_key?: string
}

/** The endings that engine/door/written.ts judges too. */
type AttestationEnding = (typeof ATTESTATION_ENDINGS)[number]

/** Documents that are written where they are asked for. */
const OPTIONAL: readonly AttestationEnding[] = ['.vsa.intoto.json', '.cdx.json']

/** Attests a run, and writes every document of it. Nothing is written where the notary's answer is refused. */
export async function attestRun(
  store: Store,
  ref: string,
  request: AttestRequest,
  context: Context,
): Promise<{ attestation: Attestation; files: string[] }> {
  const at = parseSourceDate(context.env.SOURCE_DATE_EPOCH) ?? new Date()
  const { attestation, documents } = await makeAttestation(store, ref, request, at, context)
  const stem = request.file.replace(/\.json$/, '')
  const files = documents.map(([part, text]) => [`${stem}${part}`, text] as const)
  // What an earlier attestation had beside it belongs to that one.
  for (const ending of OPTIONAL) rmSync(`${stem}${ending}`, { force: true })
  // The attestation comes last: whoever finds it finds what belongs to it.
  for (const [path, text] of [...files].reverse()) writeOutput(path, text)
  return { attestation, files: files.map(([path]) => path) }
}

/** The documents of an attestation, each by how its name ends, the attestation itself first. */
export async function makeAttestation(
  store: Store,
  ref: string,
  request: Omit<AttestRequest, 'file'>,
  at: Date,
  context: Context,
): Promise<{ attestation: Attestation; documents: [ending: AttestationEnding, text: string][] }> {
  const run = await store.runWithGate(ref)
  const notary = request.notarize ? chooseNotary(request.config, request.notary_key, context.env) : undefined
  const uri = request.slsa ? await findResourceUri(request.root, run, context) : ''
  if (request.slsa && run.gate === undefined)
    throw new EngineError('CONFLICT', `No gate ran on the tree of run ${run.id}: there is nothing to summarize.`, {
      hint: 'Run `svc gate`, then attest again.',
    })
  if (request.slsa && run.gate?.policy_sha256 === undefined)
    throw new EngineError(
      'CONFLICT',
      `Run ${run.gate?.run_id ?? run.id} does not record the settings of its gate: the policy of the summary is unknown.`,
      { hint: 'An older version of svc stored it. Run `svc gate`, then attest again.' },
    )
  const digest = await store.findingsDigest(run.id)
  const tree = await readTree(request.root, run, context)
  const signed = signStatement(
    makeStatement(run, digest, { ...tree, generated_at: at }),
    await loadSecret(request.root, context.env),
  )
  const attestation: Attestation = notary
    ? { ...signed, notarization: await notarize(digestAttestation(signed), notary, context) }
    : signed
  const key = loadSigningKey(context.env)
  const envelope = await signEnvelope(encode(makeInToto(attestation)), IN_TOTO, key)
  const documents: [AttestationEnding, string][] = [
    ['.json', formatAttestation(attestation)],
    ['.intoto.json', formatJson(envelope)],
    ['.sigstore.json', formatJson(await toSigstoreBundle(envelope))],
  ]
  if (request.slsa && run.gate?.policy_sha256 !== undefined) {
    const summary = makeVerificationSummary(attestation, run.gate.policy_sha256, uri)
    documents.push(['.vsa.intoto.json', formatJson(await signEnvelope(encode(summary), IN_TOTO, key))])
  }
  if (request.cyclonedx) documents.push(['.cdx.json', formatJson(makeDeclarations(run, attestation), 1)])
  return { attestation, documents }
}

/** The notary of the configuration with its pinned key; CONFIG_INVALID where one of the two is missing, or the key is none. */
function chooseNotary(
  { notary }: Pick<Settings, 'notary'>,
  named: string | undefined,
  env: Context['env'],
): { url: string; key: LogKey } {
  const key = readNotaryKey(named, env, notary.key)
  if (notary.url !== undefined && key) return { url: notary.url, key }
  throw new EngineError(
    'CONFIG_INVALID',
    `--notarize needs ${notary.url === undefined ? 'notary.url' : 'notary.key'}.`,
    {
      hint: 'Set notary.url (or GUARD_NOTARY_URL) and notary.key in .svc/config.yaml; `svc notary serve` prints the key of a notary that you run.',
    },
  )
}

/**
 * The notary's key: as named, else GUARD_NOTARY_KEY, else the one of the configuration. To verify, none is taken from there: whoever
 * writes the repository could name a notary of their own. INPUT_INVALID where it is no verifier key.
 */
export function readNotaryKey(named: string | undefined, env: Context['env'], configured?: string): LogKey | undefined {
  const text = named ?? (env.GUARD_NOTARY_KEY || configured)
  if (text === undefined) return undefined
  const key = parseVerifierKey(text)
  if (key) return key
  throw new EngineError('INPUT_INVALID', 'The key of the notary is no verifier key.', {
    hint: 'It has the form <name>+<8 hex digits>+<base64>, as `svc notary serve` prints it.',
  })
}

/** The tree of the run's commit, and whether the work tree has it now; a tree that may have been another one then is `unknown`. */
async function readTree(
  root: string,
  { git_sha }: Run,
  { signal }: Context,
): Promise<{ git_tree: string | null; tree_state: TreeState }> {
  if (git_sha === undefined) return { git_tree: null, tree_state: 'unknown' }
  const tree = await tryGit(root, ['rev-parse', '--verify', '--quiet', `${git_sha}^{tree}`], { signal })
  if (tree.code !== 0) return { git_tree: null, tree_state: 'unknown' }
  const git_tree = tree.stdout.toString('utf8').trim()
  const head = await tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], { signal })
  if (head.stdout.toString('utf8').trim() !== git_sha) return { git_tree, tree_state: 'unknown' }
  const status = await tryGit(root, ['status', '--porcelain', '--untracked-files=all', '--ignore-submodules=none'], {
    signal,
  })
  if (status.code !== 0) return { git_tree, tree_state: 'unknown' }
  return { git_tree, tree_state: status.stdout.length === 0 ? 'clean' : 'modified' }
}

/** The repository as SLSA names resources: its remote at the commit, without credentials; else by its name. */
async function findResourceUri(root: string, run: Run, { signal }: Context): Promise<string> {
  const { code, stdout } = await tryGit(root, ['config', '--get', 'remote.origin.url'], { signal })
  const at = run.git_sha === undefined ? '' : `@${run.git_sha}`
  const remote = stdout.toString('utf8').trim()
  if (code !== 0 || !/^https?:\/\//.test(remote)) return `urn:svc:project:${encodeURIComponent(run.root_name)}${at}`
  const url = new URL(remote)
  url.username = ''
  url.password = ''
  url.search = ''
  return `git+${url.href}${at}`
}

function encode(statement: object): Buffer {
  return Buffer.from(encodeCanonical(statement))
}

function formatJson(value: object, space?: number): string {
  return `${JSON.stringify(value, null, space)}\n`
}
