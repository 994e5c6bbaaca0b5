import { join } from 'node:path'
import { writeOutput } from '../../base/disk/output-file.ts'
import { readOwn } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import type { RuleTexts } from '../../base/records/run.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Pack } from './pack.ts'
import { makeTrace, type RuleTrace } from './rule-trace.ts'

/** The packs and rules of a scan as they were. */
export interface Snapshot {
  run_id: string
  taken_at: string
  packs: Record<string, { version: string; rules: Record<string, RuleTrace> }>
}

/** The packs that are on and the rules that run, remembered. A rule counts to the pack that it is in, on by itself or by a framework. */
export function makeSnapshot(
  run: { id: string; finished_at: string },
  packs: readonly Pack[],
  rules: readonly CompiledRule[],
): Snapshot {
  const versions = new Map(packs.map(({ id, version }) => [id, version]))
  const snapshot: Snapshot = { run_id: run.id, taken_at: run.finished_at, packs: {} }
  for (const [id, version] of versions) snapshot.packs[id] = { version, rules: {} }
  for (const rule of rules) {
    snapshot.packs[rule.pack_id] ??= { version: '', rules: {} }
    snapshot.packs[rule.pack_id]!.rules[rule.id] = makeTrace(rule)
  }
  return snapshot
}

/** Keeps the snapshot as `packs.json` in the folder; answers the name. */
export function writeSnapshot(
  out: string,
  run: { id: string; finished_at: string },
  { packs, rules }: { packs: readonly Pack[]; rules: readonly CompiledRule[] },
  texts?: RuleTexts,
): string {
  const make = () => JSON.stringify(makeSnapshot(run, packs, rules).packs)
  const versions = JSON.stringify(packs.map(({ id, version }) => [id, version]))
  const traces = texts?.('rule-traces', versions, make) ?? Buffer.from(make())
  const head: Omit<Snapshot, 'packs'> = { run_id: run.id, taken_at: run.finished_at }
  const start = Buffer.from(`${JSON.stringify(head).slice(0, -1)},"packs":`)
  writeOutput(join(out, 'packs.json'), Buffer.concat([start, traces, Buffer.from('}\n')]))
  return 'packs.json'
}

/** The snapshot of the last scan that was stored. RUN_NOT_FOUND where there is none, STORE_UNREADABLE where it is damaged. */
export function readSnapshot(out: string): Snapshot {
  const bytes = readOwn(join(out, 'packs.json'))
  if (!bytes) throw new EngineError('RUN_NOT_FOUND', 'No scan has recorded its packs here.')
  try {
    const snapshot = JSON.parse(bytes.toString('utf8')) as Snapshot
    if (typeof snapshot?.packs === 'object' && snapshot.packs !== null) return snapshot
  } catch {
    // Said below, as for any other text that is no snapshot.
  }
  throw new EngineError('STORE_UNREADABLE', 'out/packs.json is not what a scan writes.', {
    hint: 'Run `svc scan`; it writes the file again.',
  })
}
