import { resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { Run } from '../../base/records/run.ts'
import { readProjectText } from '../../fixes/project-text.ts'
import { blocks, type GateDecision } from '../../gate/decide.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { traceRequirements } from '../trace/gather.ts'
import { type Decoration, decorate } from './decorate.ts'
import type { Subject } from './subject.ts'
import { type Asked, findTarget } from './target.ts'

/** A scan that was just done. */
export interface JudgedRun {
  root: string
  run: Run
  findings: readonly Finding[]
  config: Config
}

/** Finds the target of a decoration, and answers what posts a judged scan there. */
export async function prepareDecoration(
  input: Asked & { repo_path: string; config?: string },
  context: Context,
): Promise<(performed: JudgedRun, decision: GateDecision) => Promise<Decoration>> {
  const start = resolve(context.cwd, input.repo_path)
  const config = await loadConfig(start, {
    env: context.env,
    ...(input.config !== undefined && { path: resolve(context.cwd, input.config) }),
  })
  const target = await findTarget(config, input, context)
  return async ({ root, run, findings, config: judged }, decision) => {
    try {
      const failOn = (file: string) => judged.for(file).gate.fail_on
      const subject = {
        project: target.project,
        decision,
        run,
        findings,
        blocking: findings.filter(finding => blocks(finding, failOn)),
        sha: target.sha,
        ...(await readCoverage(context, judged)),
      }
      const out = locateOutput(root, context.env, judged.output_dir)
      const result = await decorate(target, subject, { out, read: file => readProjectText(root, file) })
      return result
    } finally {
      await target.provider?.close()
    }
  }
}

/** How many requirements are covered; nothing where the repository has none. */
async function readCoverage(context: Context, config: Config): Promise<Pick<Subject, 'coverage'>> {
  const listing = await discover(config.root, { exclude: config.scan_exclude, signal: context.signal })
  if (listing.kind === 'bare') return {}
  const { rows } = await traceRequirements({ config, listing, signal: context.signal })
  const approved = rows.filter(({ status, state }) => status === 'approved' && state !== undefined)
  if (approved.length === 0) return {}
  const uncovered = approved.filter(({ state }) => state !== 'covered').map(({ id }) => id)
  return { coverage: { covered: approved.length - uncovered.length, total: approved.length, uncovered } }
}
