import type { Context } from '../../base/context.ts'
import { formatCount } from '../../base/text/words.ts'
import type { GateFailure } from '../../gate/decide.ts'
import type { Config } from '../../sources/config/load.ts'
import { tryGit } from '../../sources/repository/git.ts'
import { readDecisions, reviewDesign } from './review.ts'

/** The change that a gate judges. */
export interface GatedChange {
  staged?: boolean
  git_range?: string
}

/**
 * Why the gate must wait for acknowledgments, where governance.design_review.require_acknowledgment asks for them: decisions of the
 * judged change, or stored ones, are pending, or no review was ever made. Undefined where nothing is pending. The deterministic part
 * reviews the change here, so that no stored file has to be trusted for what the change introduces.
 */
export async function findDesignFailure(
  { staged, git_range }: GatedChange,
  config: Config,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<GateFailure | undefined> {
  if (!config.governance.design_review.require_acknowledgment) return undefined
  const isChange = staged === true || git_range !== undefined
  const isGit =
    (await tryGit(config.root, ['rev-parse', '--is-inside-work-tree'], { signal: context.signal })).code === 0
  const stored = readDecisions(config, context.env)
  if (!isChange && stored === undefined)
    return {
      ...{ kind: 'design_review', message: 'no design review was made' },
      resolve: 'Review the design: `svc review-design --git-range <base>...HEAD`, then `svc review-design --ack <id>`',
    }
  const request = {
    ...(staged && { staged }),
    ...(git_range !== undefined && { git_range }),
  }
  const decisions = isGit ? (await reviewDesign(request, config, context)).decisions : (stored?.decisions ?? [])
  const pending = decisions.filter(({ status }) => status === 'pending')
  const [first] = pending
  if (first === undefined) return undefined
  return {
    kind: 'design_review',
    message: `${formatCount(pending.length, 'design decision')} pending acknowledgment`,
    file: first.file,
    resolve:
      'List them with `svc review-design --pending`, and acknowledge each with `svc review-design --ack <id> --note "<note>"`',
  }
}
