import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import type { Run } from '../../base/records/run.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatRenewed, renewBaseline, requireRenewal } from '../../findings/renew.ts'
import { GateDecisionType } from '../../gate/decision-schema.ts'
import { formatVerdict } from '../../gate/verdict.ts'
import { findOtherTree, scanAnswer } from '../../scan/answer.ts'
import { evaluateGate, getGateExit } from '../../scan/evaluate-gate.ts'
import { ScanOutputType } from '../../scan/output-schema.ts'
import { perform } from '../../scan/perform.ts'
import { findUnstored, persist } from '../../scan/persist.ts'
import { listShardNotices, readShards } from '../../scan/shard-folder.ts'
import { checkComplete } from '../../scan/shard-merge.ts'
import { formatSummary } from '../../scan/summary.ts'
import { openSeal } from '../../sources/state/cache-seal.ts'

/** Puts the shards of one scan together in a checkout of the scanned commit: the run is the one that a single scan gives. */
export default defineOperation({
  id: 'scan.merge',
  summary: 'Merge the shards of a scan, evaluate the result and store it as one run.',
  effect: 'write',
  // Unreadable records are a reason of the gate; a baseline is not to be written over them.
  action: ({ gate, update_baseline }) => (gate && !update_baseline ? 'run_gate' : 'run_scan'),
  weakens: ({ update_baseline }) => update_baseline,

  cli: 'merge <...folders>',
  rest: null,
  mcp: null,

  examples: [
    ['svc merge out/shard-*', 'merge the shards of svc scan --shard i/n'],
    ['svc merge shards --gate', 'merge the shards of a directory and evaluate the gate: exit codes as in svc gate'],
  ],

  input: type({
    folders: type('string[] >= 1').describe('directories of shards, or directories that contain them'),
    repo_path: type('string > 0').describe('a path to the repository, or to the scanned directory in it').default('.'),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    gate: type('boolean').describe('true or false: evaluate the gate too, as svc gate does').default(false),
    update_baseline: type('boolean')
      .describe('true or false: update .svc/baseline.json with the open findings, and remove resolved ones')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    '...': ScanOutputType,
    shards: type('number.integer').describe('the number of merged shards'),
    'gate?': GateDecisionType.describe('the gate decision, if the gate was evaluated'),
  }),

  check(input, context) {
    if (input.update_baseline) readComplete(input, context)
  },

  async run(input, context) {
    const { folders, stored } = readComplete(input, context)
    const real = folders.map(({ path }) => realpathSync.native(path))
    const performed = await perform({ ...input, is_gate: input.gate }, context, { shards: { stored, folders: real } })
    performed.run.notices.push(...listShardNotices(stored))
    const decision = input.gate ? await evaluateGate(performed, {}, context) : undefined
    const baseline = renewBaseline(performed)
    const kept = await persist(performed, context, { gate: decision })
    const answer = scanAnswer(performed, { baseline, surface: context.surface })
    return {
      ...answer,
      ...kept,
      ...findOtherTree(performed, context),
      shards: stored.length,
      ...(decision && { gate: decision }),
    }
  },

  text: ({ run, findings, baseline, gate, shards, output_dir, tree }, view) =>
    [
      view.quiet ? '' : `Merged ${formatCount(shards, 'shard')}.`,
      formatSummary(run as Run, findings, view, {
        following: output_dir === undefined ? 'nothing' : 'advice',
        out: output_dir,
        tree,
      }),
      baseline && formatRenewed(baseline),
      gate && `\n${formatVerdict(gate, view, tree)}`,
    ]
      .filter(Boolean)
      .join('\n'),

  exit: ({ gate }) => (gate === undefined ? 0 : getGateExit(gate)),
  problem: output => findUnstored(output),
})

/** The shards, all of them there and whole. */
function readComplete(
  input: Readonly<Record<string, unknown>> & { folders: readonly string[]; update_baseline: boolean },
  { cwd, env, surface }: Context,
) {
  if (input.update_baseline) requireRenewal(input, surface)
  const folders = input.folders.map(named => ({ named, path: resolve(cwd, named) }))
  const stored = readShards(folders, openSeal(env))
  checkComplete(stored)
  return { folders, stored }
}
