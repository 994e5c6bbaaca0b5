import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { readLinked } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { findFramework } from '../../sources/packs/find-framework.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import type { Pack } from '../../sources/packs/pack.ts'
import { selectPacks } from '../../sources/packs/select.ts'
import { runFiles } from '../../sources/store/layout.ts'
import { openStore, type Store } from '../../sources/store/open.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'
import { refuseWithoutRun } from '../../sources/store/runs.ts'
import { checkEvidence } from '../evidence/check.ts'
import { readEvidence } from '../evidence/file.ts'
import { parseSourceDate } from '../model.ts'
import { assessFrameworks } from './assess.ts'
import type { Assessment } from './assessment.ts'

/** Scans of a part say nothing of controls. */
export const WHOLE = 'everything'

export interface AssessOptions {
  /** A run id, its prefix, or `latest`: the latest of the whole repository. */
  run_id?: string
  /** Ids of frameworks; where left out, those that were on in the run. */
  frameworks?: readonly string[]
  /** A configuration file in place of the root's. */
  config?: string
}

/**
 * Assesses the frameworks of a stored run. RUN_NOT_FOUND where the whole repository was never scanned, CONFLICT for a run of a
 * part, NOT_FOUND for an unknown framework, CONFIG_INVALID where the evidence file is not understood.
 */
export async function loadAssessment(
  context: Pick<Context, 'cwd' | 'env' | 'notice' | 'signal'>,
  options: AssessOptions = {},
): Promise<Assessment> {
  const { cwd, env, notice, signal } = context
  const config = await loadConfig(cwd, { path: options.config, env })
  const packs = await loadPacks(config.root)
  const wanted = options.frameworks?.map(id => findFramework(packs, id))
  const out = await resolveOutputDirectory({ cwd, env })
  const store = await openStore(out, notice)
  try {
    const { id, omitted } = await findWholeRun(store, options.run_id ?? 'latest')
    const run = await store.runWithGate(id)
    if (run.scope !== WHOLE) throw refusePart(run.id, run.scope)
    const findings = await store.facts(run.id)
    const files = await store.files(run.id)
    const assessed = wanted ?? packs.filter(({ framework }) => run.frameworks?.some(({ id }) => id === framework?.id))
    const asked = { today: findToday(env), signal }
    const evidence = await checkEvidence(config.root, await readEvidence(config.root), packs, asked)
    const frameworks = assessFrameworks({
      ...{ run, findings, files, evidence, packs: assessed },
      ...selectRules(packs, config, assessed, new Set(Object.keys(run.counts.languages)), run.packs),
    })
    const stored = runFiles(out, run.id)
    return {
      run,
      generated_at: (parseSourceDate(env.SOURCE_DATE_EPOCH) ?? new Date(run.finished_at)).toISOString(),
      digests: { findings: digest(stored.findings), run: digest(stored.run) },
      frameworks: frameworks.map(each => ({ ...each, caveats: [...omitted, ...each.caveats] })),
      findings,
      evidence,
      omitted,
      ...findAttestation(out, run.id),
    }
  } finally {
    store.close()
  }
}

/**
 * All that the assessment of the latest run of the whole repository is computed from, beside the packs that come with svc: values and files,
 * and the settings in `.svc`. Throws what `loadAssessment` throws.
 */
export async function describeInputs({
  cwd,
  env,
  notice,
  signal,
}: Pick<Context, 'cwd' | 'env' | 'notice' | 'signal'>): Promise<{ values: unknown; files: string[] }> {
  const config = await loadConfig(cwd, { env })
  const out = await resolveOutputDirectory({ cwd, env })
  const store = await openStore(out, notice)
  try {
    const { id, omitted } = await findWholeRun(store, 'latest')
    const run = await store.runWithGate(id)
    const asked = { today: findToday(env), signal }
    const evidence = await checkEvidence(
      config.root,
      await readEvidence(config.root),
      await loadPacks(config.root),
      asked,
    )
    const { run: own, findings, files } = runFiles(out, run.id)
    return {
      values: { run, omitted, evidence, packs: config.packs, today: asked.today, date: env.SOURCE_DATE_EPOCH },
      files: [own, findings, files, join(out, 'attestation.json')],
    }
  } finally {
    store.close()
  }
}

/**
 * The day that evidence is judged at, in UTC: today, or the day of SOURCE_DATE_EPOCH where that is later. An earlier one only dates
 * documents: by it, evidence that has expired would count.
 */
export function findToday(env: Context['env']): string {
  const now = Math.max(Date.now(), parseSourceDate(env.SOURCE_DATE_EPOCH)?.getTime() ?? 0)
  return new Date(now).toISOString().slice(0, 10)
}

/** The id of the run that a reference means, and a sentence for each newer run that cannot be read in its place. */
async function findWholeRun(store: Store, ref: string): Promise<{ id: string; omitted: string[] }> {
  if (ref !== 'latest') return { id: ref, omitted: [] }
  const { runs, damaged } = await store.wholeRuns()
  const omitted = damaged.map(
    ({ id }) => `The newer run ${id} cannot be read: these are the results of a run before it.`,
  )
  if (runs[0]) return { id: runs[0].id, omitted }
  const part = await store.latest()
  throw part ? refusePart(part.id, part.scope) : refuseWithoutRun(damaged)
}

function refusePart(id: string, scope: string): EngineError {
  return new EngineError('CONFLICT', `The run ${id} scanned only a part of the repository (${scope}).`, {
    hint: 'Run `svc scan`: controls are evaluated over the whole repository.',
  })
}

/** The rules that bear on the frameworks by the configuration of today, and what tells which of them the run had. */
function selectRules(
  packs: readonly Pack[],
  { packs: choice }: Config,
  assessed: readonly Pack[],
  languages: Set<string>,
  had: readonly { id: string }[],
) {
  if (languages.has('jupyter')) languages.add('python')
  const asked = assessed.map(({ id }) => id)
  const configured = selectPacks(packs, choice, languages)
  const { rules } = selectPacks(
    packs,
    {
      ...choice,
      enable: [...new Set([...choice.enable, ...asked])],
      disable: choice.disable.filter(id => !asked.includes(id)),
    },
    languages,
  )
  const ids = new Set(had.map(({ id }) => id))
  return {
    rules,
    configured: new Set(configured.rules.map(({ id }) => id)),
    versions: new Map(packs.map(({ id, version }) => [id, version])),
    hadFrameworks: configured.packs.every(({ framework, id }) => framework === undefined || ids.has(id)),
  }
}

/** The attestation in the output directory, where it is of this run. */
function findAttestation(out: string, run_id: string): Pick<Assessment, 'attestation'> {
  const bytes = readLinked(join(out, 'attestation.json'), MOST_ATTESTATION)
  if (!bytes) return {}
  try {
    const parsed = JSON.parse(bytes.toString('utf8')) as { run_id?: unknown; generated_at?: unknown } | null
    if (
      parsed?.run_id !== run_id ||
      typeof parsed.generated_at !== 'string' ||
      Number.isNaN(Date.parse(parsed.generated_at))
    )
      return {}
    const generated_at = new Date(parsed.generated_at).toISOString()
    return { attestation: { sha256: createHash('sha256').update(bytes).digest('hex'), generated_at } }
  } catch {
    return {} // not one of ours
  }
}

/** The largest attestation that is read. */
const MOST_ATTESTATION = 4 << 20

function digest(path: string): string {
  const bytes = readLinked(path)
  // The store has just read the run from it.
  if (!bytes) throw new EngineError('STORE_UNREADABLE', 'A file of the run was removed while it was read.')
  return createHash('sha256').update(bytes).digest('hex')
}
