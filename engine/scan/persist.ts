import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ReportModel, toReportRules } from '../assure/model.ts'
import { writeReports } from '../assure/report.ts'
import type { Context } from '../base/context.ts'
import { EngineError } from '../base/errors.ts'
import { beginCounting, keepCounts } from '../base/spent.ts'
import { formatCount } from '../base/text/words.ts'
import type { GateDecision } from '../gate/decide.ts'
import { writeSnapshot } from '../sources/packs/snapshot.ts'
import { openSeal } from '../sources/state/cache-seal.ts'
import type { FilesAhead } from '../sources/store/files-ahead.ts'
import { formatOutput, OUTPUT_VARIABLE } from '../sources/store/output-directory.ts'
import type { Performed } from './perform.ts'
import { makeRuleTexts } from './rule-texts.ts'
import { leave, listFilesToStore } from './stored-files.ts'

/** Where a run was stored, or why not. */
export interface Stored {
  output_dir?: string
  not_stored?: string
}

/** How to store a run where the checkout may not be written to. */
export const STORE_ELSEWHERE = 'Name a directory to store them in: --output-dir <directory>.'

/**
 * Stores the run with its reports, all or nothing, and lets go of the oldest runs past `history.keep`; answers the directory that holds them.
 * With `ahead`, the table of its files is one that is being written already. Neither for a scan that is not to be stored. In a checkout that
 * may not be written to the answer is all there is: `not_stored` says what could not be written, for `findUnstored` to end the command with.
 * DISK where a directory that was named cannot be written, or the disk is full.
 */
export async function persist(
  performed: Performed,
  context: Context,
  { gate, ahead }: { gate?: GateDecision; ahead?: FilesAhead } = {},
): Promise<Stored> {
  const { out, root } = performed
  if (out === undefined) return {}
  const shown = formatOutput(root, out)
  try {
    beginCounting('write')
    await store(performed, out, context, { gate, ahead })
    keepCounts()
    return { output_dir: shown }
  } catch (error) {
    if (context.env[OUTPUT_VARIABLE] || !isReadOnly(error)) throw error
    const earlier = existsSync(join(out, 'run.json')) ? `, and ${shown} still holds an earlier one` : ''
    const not_stored = `${(error as EngineError).message} The run and its reports were not stored${earlier}.`
    // The command line says it beside the answer, also with --quiet.
    if (context.surface !== 'cli') context.notice(`${not_stored} The results are only in this output.`)
    return { not_stored }
  }
}

/**
 * DISK where a run could not be stored, for a command to report beside its answer: whoever reads the directory afterwards would take an
 * earlier run for this one.
 */
export function findUnstored({ not_stored }: Stored, advice = STORE_ELSEWHERE): EngineError | undefined {
  return not_stored === undefined ? undefined : new EngineError('DISK', not_stored, { hint: advice })
}

/** Whether a write failed because the place may not be written to, rather than for want of space. */
function isReadOnly(error: unknown): boolean {
  if (!(error instanceof EngineError) || error.code !== 'DISK') return false
  return /^(?:EROFS|EACCES|EPERM)$/.test(String((error.cause as NodeJS.ErrnoException | undefined)?.code))
}

async function store(
  performed: Performed,
  out: string,
  { emit, env, notice }: Context,
  { gate, ahead }: { gate?: GateDecision; ahead?: FilesAhead },
): Promise<void> {
  const { run, findings, config } = performed
  const total = findings.length
  emit({ type: 'progress', progress: { phase: 'store', done: total, total, bytes: 0, findings: total } })
  if (gate) {
    const { digestPolicy } = await import('../assure/attest/policy.ts')
    run.gate = { passed: gate.passed, reasons: gate.reasons, policy_sha256: digestPolicy(config.gate) }
  }
  const seal = openSeal(env)
  const refused = (path: string) =>
    notice(`${path} was modified since svc wrote it: it was not used and is created again.`)
  const { writeRun } = await import('../sources/store/write.ts')
  const files = ahead ?? listFilesToStore(performed, refused)
  await writeRun(out, run, findings, files, folder => {
    emit({ type: 'progress', progress: { phase: 'report', done: total, total, bytes: 0, findings: total } })
    const texts = performed.kept || performed.leaving ? makeRuleTexts(performed, seal, refused) : undefined
    const reports = writeReports(folder, { ...makeReportModel(performed, env.SOURCE_DATE_EPOCH), notice, texts })
    const names = reports.map(path => basename(path))
    if (run.scope === 'everything') names.push(writeSnapshot(folder, run, performed, texts))
    return names
  })
  if (performed.leaving && 'all' in files) leave(performed.root, files, performed.leaving.memory, seal)
  await letGo(out, config.history.keep, notice)
}

/** Removes the oldest runs past `keep`. Nearly always there are none, and to see that takes no look into the runs. */
async function letGo(out: string, keep: number, notice: Context['notice']): Promise<void> {
  const { runFolders } = await import('../sources/store/layout.ts')
  if ((await runFolders(out)).length <= keep) return
  const { openStore } = await import('../sources/store/open.ts')
  const store = await openStore(out)
  try {
    const { removed } = await store.prune(keep)
    if (removed.length > 0)
      notice(`History: ${formatCount(removed.length, 'old run')} removed, the newest ${keep} remain (history.keep).`)
  } finally {
    store.close()
  }
}

/** What reports are made of, from a scan that was just done. */
export function makeReportModel({ run, findings, rules, packs, controls }: Performed, epoch?: string): ReportModel {
  return {
    run,
    findings,
    rules: toReportRules(rules, controls),
    frameworks: new Map(
      packs.flatMap(({ framework, version }) =>
        framework ? [[framework.id, { name: `${framework.name} ${framework.edition}`, version }] as const] : [],
      ),
    ),
    ...(epoch && /^\d+$/.test(epoch) ? { source_date: new Date(Number(epoch) * 1000) } : {}),
  }
}
