import { EngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { runGit } from '../../sources/repository/git.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { detectCi } from '../providers/ci.ts'
import { TITLES } from '../providers/names.ts'
import { openCodeProvider } from '../providers/open.ts'
import type { CodeProvider, ProviderName } from '../providers/provider.ts'
import { resolveProvider } from '../providers/settings.ts'

/** Where a verdict goes. */
export interface Target {
  name: ProviderName
  project: string
  /** Absent where there is no token, for `problem`. */
  provider?: CodeProvider
  problem?: string
  sha: string
  pull_request?: number
  is_fork: boolean
  /** A file that the CI system shows. */
  summary_file?: string
  comments: boolean
  check: boolean
}

/** What is asked for on the command line. */
export interface Asked {
  decorate_pr: boolean
  status_check: boolean
  commit_sha?: string
}

/**
 * Finds provider, pull request and commit before anything is scanned, so that what is missing is said at once: CONFIG_INVALID without a
 * provider, TOOL_MISSING without a token, USAGE where no pull request is known. A build of a fork has no token by design: it gets a target
 * without a provider.
 */
export async function findTarget(
  config: Config,
  asked: Asked,
  context: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<Target> {
  const { env, signal } = context
  const settings = await resolveProvider(config, { env, signal })
  const ci = detectCi(env)
  const sha = asked.commit_sha ?? ci?.commit ?? (await readHead(config.root, signal))
  if (!/^[0-9a-f]{40,64}$/i.test(sha))
    throw new EngineError('USAGE', `--commit-sha has to be a whole commit hash, not ${JSON.stringify(sha)}.`)
  const target: Target = {
    name: settings.name,
    project: settings.repository,
    sha,
    is_fork: ci?.is_fork ?? false,
    ...(ci?.pull_request !== undefined && { pull_request: ci.pull_request }),
    ...(ci?.summary_file && { summary_file: ci.summary_file }),
    comments: asked.decorate_pr,
    check: asked.status_check,
  }
  try {
    const { provider } = await openCodeProvider(config, context, {
      stored: readStoredToken(config, context),
    })
    target.provider = provider
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'TOOL_MISSING' || !target.is_fork) throw error
    target.problem = `${TITLES[target.name]} got nothing: the build of a fork has no token.`
    return target
  }
  if (target.comments && target.pull_request === undefined) {
    const branch = ci?.branch ?? (await readBranch(config.root, signal))
    const found = branch === undefined ? undefined : await target.provider.findPullRequest(branch)
    if (found) {
      target.pull_request = found.number
      target.is_fork = found.is_fork
    } else {
      await target.provider.close()
      throw new EngineError(
        'USAGE',
        branch === undefined
          ? 'No pull request is known: this is no build of one, and no branch is checked out.'
          : `There is no open pull request of the branch ${JSON.stringify(branch)}.`,
        { hint: 'Run it in a build of a pull request, or leave out --decorate-pr.' },
      )
    }
  }
  return target
}

async function readHead(root: string, signal: AbortSignal): Promise<string> {
  return (await runGit(root, ['rev-parse', '--verify', 'HEAD^{commit}'], { signal })).toString('utf8').trim()
}

async function readBranch(root: string, signal: AbortSignal): Promise<string | undefined> {
  const name = (await runGit(root, ['rev-parse', '--abbrev-ref', 'HEAD'], { signal })).toString('utf8').trim()
  return name === 'HEAD' ? undefined : name
}
