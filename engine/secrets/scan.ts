import { resolve } from 'node:path'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import type { NotEvaluated, Notice } from '../base/records/run.ts'
import type { PartlyScanned, Skip, SourceFile } from '../base/records/source-file.ts'
import { findNearest } from '../base/text/nearest.ts'
import { type BaselineEntry, compareEntries } from '../findings/baseline.ts'
import { readBaseline, writeBaseline } from '../findings/baseline-file.ts'
import { applySuppressions } from '../findings/suppression.ts'
import { readSuppressions } from '../findings/suppression-file.ts'
import { addDays } from '../findings/suppression-list.ts'
import { findUnread } from '../gate/unread.ts'
import { type Performed, perform } from '../scan/perform.ts'
import { makeIdentityKey } from '../sources/config/identity-key.ts'
import { findRepositoryRoot, loadConfig } from '../sources/config/load.ts'
import { loadBuiltinPacks } from '../sources/packs/load.ts'
import { isMissingObject } from '../sources/repository/blobs.ts'
import { locateWorkTree } from '../sources/repository/changes.ts'
import { scanHistory } from './history-scan.ts'
import { addKept, judgeLiveness } from './liveness.ts'
import { type Found, listSecrets, type Secret } from './secret.ts'
import { findProvider } from './verify.ts'

/** What `svc secrets` is asked for. */
export interface SecretsInput {
  repo_path: string
  config?: string
  jobs?: number
  staged?: boolean
  git_range?: string
  history?: boolean
  stdin?: boolean
  baseline?: boolean
  verify?: boolean
  providers?: string[]
  explain?: boolean
}

export interface SecretsResult {
  /** What was looked at, in words. */
  scope: string
  secrets: Secret[]
  /** Files that were read, or versions of files in a history. */
  files: number
  /** Files, or versions of files, whose content could not be read: whether they hold a secret is not known. */
  not_read: number
  /** Of a history: the clone has only the last part of it. */
  shallow?: boolean
  bytes: number
  commits?: number
  skipped: Skip[]
  /** Files that were searched in part only, archives among them. */
  partly: PartlyScanned[]
  /** Source files of the change that could not be searched at all, where gate.unread says that they fail it. */
  unread: string[]
  /** Detectors that were broken off in a file: whether it holds a secret is not known. */
  not_evaluated: NotEvaluated[]
  notices: Notice[]
  /** Entries that the baseline holds now, where it was made anew. */
  held?: number
}

/** Reasons that say nothing of secrets: every detector of them searched the file. */
const SEARCHED = new Set(['generated', 'vendored', 'minified', 'too_large', 'not_evaluated'])

/** Reasons for which the content of a file that is there could not be read. */
const NOT_READ = new Set(['unreadable', 'undecodable'])
/** The same of what git was asked for: a file that has vanished from disk is not part of a whole repository. */
const NOT_READ_IN_GIT = new Set([...NOT_READ, 'vanished', 'sparse'])

/** Where a text from standard input stands in what is reported. */
const STDIN = 'stdin'

/** Looks for secrets, and for nothing else; writes nothing but the baseline and what providers said, and each only where it is asked to. */
export async function scanSecrets(input: SecretsInput, context: Context): Promise<SecretsResult> {
  const asked = [
    input.staged && 'staged',
    input.git_range && 'git-range',
    input.history && 'history',
    input.stdin && 'stdin',
  ].filter(Boolean)
  if (asked.length > 1)
    throw new EngineError('INPUT_INVALID', `--${asked.join(' and --')} exclude each other.`, {
      hint: 'Pass one of them.',
    })
  if (input.baseline && asked.length > 0)
    throw new EngineError(
      'INPUT_INVALID',
      `--baseline and --${asked[0]} exclude each other: a baseline is created from the files on disk.`,
    )
  checkQuestions(input, context)
  return input.history ? ofHistory(input, context) : ofFiles(input, context)
}

/** Refuses before anything is looked at what would have nobody asked, while whoever asks believes that somebody was. */
function checkQuestions({ verify: asks, providers = [] }: SecretsInput, { env }: Context): void {
  if (!asks) {
    if (providers.length === 0) return
    throw new EngineError('INPUT_INVALID', '--providers requires --verify.', {
      hint: 'Add --verify, or remove --providers.',
    })
  }
  const base = env.SVC_VERIFY_BASE
  if (base && !canAsk(base))
    // It may hold a password, which belongs in no message.
    throw new EngineError('INPUT_INVALID', 'SVC_VERIFY_BASE is no address that can be asked.', {
      hint: 'Set scheme, host and port without a login, such as http://127.0.0.1:8080, or unset it.',
    })
  const rules = loadBuiltinPacks().flatMap(pack => pack.rules)
  const known = new Set(rules.flatMap(rule => findProvider(rule) ?? []))
  for (const name of providers) {
    if ([...known].some(each => each.toLowerCase() === name.toLowerCase())) continue
    const meant = findNearest(name, [...known])
    throw new EngineError(
      'INPUT_INVALID',
      `${name} is not a provider with verification${meant ? `; did you mean ${meant}?` : '.'}`,
      { hint: `Providers with verification: ${[...known].sort().join(', ')}.` },
    )
  }
}

/** Whether questions can go to an address: of one with a login in it, no client of HTTP asks anything. */
function canAsk(base: string): boolean {
  if (!URL.canParse(base)) return false
  const { protocol, username, password } = new URL(base)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

async function ofFiles(input: SecretsInput, context: Context): Promise<SecretsResult> {
  const { repo_path, config, jobs, staged, git_range, explain } = input
  // Before anything is hashed: identities that are committed are made under the repository's own key.
  if (input.baseline) makeIdentityKey(findRepositoryRoot(resolve(context.cwd, repo_path)))
  const files = input.stdin ? { [STDIN]: await readStdin(context) } : undefined
  const performed = await perform(
    {
      repo_path,
      config,
      jobs,
      staged,
      git_range,
      files,
      cache: false,
      external: false,
      dry_run: true,
      metrics: false,
      explain_secrets: explain,
      config_overrides: { packs: { detect: false, enable: ['secrets'], disable: [] } },
    },
    context,
  )
  const { run } = performed
  // What contributors of a scan report (requirements, architecture) is no secret.
  const findings = performed.findings.filter(({ category }) => category === 'secret')
  const result: SecretsResult = {
    scope: input.stdin ? 'standard input' : run.scope,
    secrets: listSecrets(findings),
    files: run.counts.files,
    not_read: countNotRead(run.skipped, performed.change ? NOT_READ_IN_GIT : NOT_READ),
    bytes: run.counts.bytes,
    skipped: run.skipped,
    partly: (run.partly ?? []).filter(({ reason }) => !SEARCHED.has(reason)),
    unread:
      performed.change && performed.config.gate.unread === 'fail'
        ? findUnread({ skipped: run.skipped }, performed.config).map(({ path }) => path)
        : [],
    not_evaluated: run.not_evaluated,
    notices: run.notices.filter(concernsSecrets),
  }
  if (input.baseline) result.held = hold(performed, findings, result.secrets)
  if (input.verify) {
    const sources = new Map<string, SourceFile | { text: string }>(
      Object.entries(files ?? {}).map(([path, text]) => [path, { text }]),
    )
    for (const file of performed.listed()) if (!sources.has(file.path)) sources.set(file.path, file)
    await judgeLiveness(result.secrets, { root: performed.root, config: performed.config, sources }, input, context)
  }
  return { ...result, secrets: addKept(performed.root, result.secrets, context) }
}

async function ofHistory(input: SecretsInput, context: Context): Promise<SecretsResult> {
  const config = await loadConfig(resolve(context.cwd, input.repo_path), {
    ...(input.config !== undefined && { path: resolve(context.cwd, input.config) }),
    env: context.env,
  })
  const root = locateWorkTree(config.root)
  const scanned = await scanHistory(root, config, { jobs: input.jobs, explain: input.explain ?? false }, context)
  const { findings, notices } = applySuppressions(scanned.findings, new Map(), await readSuppressions(root), {
    today: addDays(new Date()),
    whole: false,
  })
  const known = new Set(readBaseline(root)?.entries.map(({ fingerprint }) => fingerprint))
  const judged = findings.map(
    (finding): Found =>
      finding.status === 'open' && [finding.fingerprint, ...(finding.also_fingerprints ?? [])].some(id => known.has(id))
        ? { ...finding, status: 'baseline' }
        : finding,
  )
  const not_read = countNotRead(scanned.skipped, NOT_READ_IN_GIT)
  const secrets = listSecrets(judged)
  if (input.verify) await judgeLiveness(secrets, { root, config, sources: new Map() }, input, context)
  return {
    scope: `history of ${scanned.commits} ${scanned.commits === 1 ? 'commit' : 'commits'}`,
    secrets: addKept(root, secrets, context),
    files: scanned.blobs - not_read,
    not_read,
    shallow: scanned.shallow,
    bytes: scanned.bytes,
    commits: scanned.commits,
    skipped: scanned.skipped,
    partly: scanned.partly.filter(({ reason }) => !SEARCHED.has(reason)),
    unread: [],
    not_evaluated: scanned.not_evaluated,
    notices,
  }
}

function countNotRead(skipped: readonly Skip[], reasons: ReadonlySet<string>): number {
  return skipped.filter(skip => reasons.has(skip.reason) || isMissingObject(skip)).length
}

/** Holds what is open in the baseline, the entries of other rules untouched; answers how many secrets it holds. */
function hold({ baseline, config }: Performed, findings: readonly Found[], secrets: Secret[]): number {
  const others = (baseline?.entries ?? []).filter(({ rule_id }) => !isSecretRule(rule_id))
  const entries = new Map<string, BaselineEntry>()
  for (const { fingerprint, rule_id, file, line, status } of findings)
    if (status !== 'suppressed') entries.set(fingerprint, { fingerprint, rule_id, file, line })
  const next = [...others, ...entries.values()].sort(compareEntries)
  writeBaseline(config.root, { entries: next }, baseline)
  for (const secret of secrets) {
    if (secret.status === 'open') secret.status = 'baseline'
    for (const place of secret.places) if (place.status === 'open') place.status = 'baseline'
  }
  return entries.size
}

function isSecretRule(id: string): boolean {
  return id.startsWith('secret-')
}

/** Notices on suppressions and entries of rules that this scan did not run say nothing. */
function concernsSecrets({ kind, detail }: Notice): boolean {
  return kind.startsWith('suppression')
    ? /\bsecret-/.test(detail)
    : kind !== 'baseline_stale' && kind !== 'baseline_renames'
}

async function readStdin({ readStdin }: Context): Promise<string> {
  if (readStdin) return readStdin()
  throw new EngineError('INPUT_INVALID', 'Only the command line has a standard input.')
}
