import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { readRegular } from '../../base/disk/read.ts'
import { EngineError, toEngineError } from '../../base/errors.ts'
import type { Config } from '../../sources/config/load.ts'
import { runGit } from '../../sources/repository/git.ts'
import { editBytes } from '../../supply/fixes/apply.ts'
import type { PlannedFix } from '../../supply/fixes/plan.ts'
import { readStoredToken } from '../oauth/stored-token.ts'
import { ProviderFailure } from '../providers/failure.ts'
import { openCodeProvider } from '../providers/open.ts'
import type { CodeProvider, PullRequest } from '../providers/provider.ts'
import { makeCommit } from './commit.ts'
import { describeFix } from './describe.ts'
import { pushBranch } from './push.ts'

/** A pull request for one fix, or why there is none. */
export interface ProposedFix {
  package: string
  to: string
  branch: string
  state: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed'
  number?: number
  url?: string
  reason?: string
}

const MOST_MANIFEST = 64 << 20

/**
 * Opens a pull request for each package that planned fixes raise, on a branch of its own from HEAD; the work tree stays as it is. One that is open is
 * updated, one that somebody closed is not opened again, and a branch with commits of others is left alone. What fails is named, and does
 * not stop the others. Errors of settings and token come before anything is pushed.
 */
export async function proposeFixes(
  config: Config,
  fixes: readonly PlannedFix[],
  context: Context,
): Promise<ProposedFix[]> {
  const { signal } = context
  const { provider, settings } = await openCodeProvider(config, context, { stored: readStoredToken(config, context) })
  try {
    const base = settings.ci?.base ?? settings.ci?.branch ?? (await readBranch(config.root, signal))
    const head = (await runGit(config.root, ['rev-parse', '--verify', 'HEAD^{commit}'], { signal }))
      .toString('utf8')
      .trim()
    const results: ProposedFix[] = []
    for (const group of groupFixes(fixes)) {
      const { package: name, to } = group[0]!.change
      const result: ProposedFix = { package: name, to, branch: nameBranch(group[0]!), state: 'failed' }
      results.push(result)
      try {
        Object.assign(result, await proposeOne(provider, config, { group, base, head, branch: result.branch }, context))
      } catch (error) {
        const failure = toEngineError(error)
        if (failure.code === 'INTERRUPTED' || failure.code === 'INTERNAL') throw error
        result.reason = failure.message
      }
    }
    return results
  } finally {
    await provider.close()
  }
}

/** The error of missing settings or a missing token, before anything else is done. */
export async function requireCodeProvider(config: Config, context: Context): Promise<void> {
  const { provider } = await openCodeProvider(config, context, { stored: readStoredToken(config, context) })
  await provider.close()
}

async function proposeOne(
  provider: CodeProvider,
  config: Config,
  { group, base, head, branch }: { group: readonly PlannedFix[]; base: string; head: string; branch: string },
  context: Context,
): Promise<Partial<ProposedFix>> {
  const there = await provider.findPullRequest(branch, base, 'any')
  if (there?.state === 'closed')
    return { state: 'skipped', number: there.number, url: there.url, reason: 'its pull request was closed' }
  const files = new Map<string, PlannedFix[]>()
  for (const fix of group) files.set(fix.change.file, [...(files.get(fix.change.file) ?? []), fix])
  const changed = []
  for (const [path, own] of files) {
    const bytes = await runGit(config.root, ['cat-file', 'blob', `${head}:${path}`], { signal: context.signal })
    const now = readRegular(join(config.root, path), MOST_MANIFEST)
    if (!(now instanceof Uint8Array) || !bytes.equals(now))
      return { state: 'skipped', reason: `${path} has changes that are not committed` }
    changed.push({
      path,
      bytes: editBytes(
        bytes,
        path,
        own.map(({ edit }) => edit),
      ),
    })
  }
  const { title, body, message } = describeFix(group)
  const sha = await makeCommit(config.root, head, changed, message, context.signal)
  const pushed = await pushBranch(config.root, provider.pushAddress(), { branch, sha }, context)
  if (pushed === 'foreign') {
    const about = there ? { number: there.number, url: there.url } : {}
    return { state: 'skipped', ...about, reason: `the branch ${branch} has commits of somebody else` }
  }
  if (!there) {
    const { number, url } = await createOnce(provider, { title, body, head: branch, base })
    return { state: 'created', number, url }
  }
  const isSame = there.title === title && there.body.replaceAll('\r\n', '\n').trim() === body.trim()
  if (!isSame) await provider.updatePullRequest(there.number, { title, body })
  return { state: isSame && pushed === 'unchanged' ? 'unchanged' : 'updated', number: there.number, url: there.url }
}

/** Tries of a creation that may have been carried out although no answer said so. */
const TRIES = 3

async function createOnce(
  provider: CodeProvider,
  asked: { title: string; body: string; head: string; base: string },
): Promise<PullRequest> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await provider.createPullRequest(asked)
    } catch (error) {
      const mayBeThere =
        error instanceof ProviderFailure && (error.isAmbiguous || ['conflict', 'invalid'].includes(error.kind))
      if (!mayBeThere) throw error
      const found = await provider.findPullRequest(asked.head, asked.base)
      if (found) return found
      if (attempt === TRIES || !error.isAmbiguous) throw error
    }
  }
}

/** Fixes of one package to one version, whatever files they are in. */
function groupFixes(fixes: readonly PlannedFix[]): PlannedFix[][] {
  const groups = new Map<string, PlannedFix[]>()
  for (const fix of fixes) {
    const { ecosystem, package: name, to } = fix.change
    const key = `${ecosystem}\0${name}\0${to}`
    groups.set(key, [...(groups.get(key) ?? []), fix])
  }
  return [...groups.values()]
}

function nameBranch({ change: { ecosystem, package: name, to } }: PlannedFix): string {
  const plain = (text: string) =>
    text
      .replace(/[^A-Za-z0-9.]+/g, '-')
      .replace(/\.{2,}/g, '.')
      .replace(/^[-.]+|[-.]+$/g, '')
  return `svc/fix/${plain(ecosystem.toLowerCase())}-${plain(name)}-${plain(to)}`.slice(0, 200)
}

async function readBranch(root: string, signal: AbortSignal): Promise<string> {
  const name = (await runGit(root, ['rev-parse', '--abbrev-ref', 'HEAD'], { signal })).toString('utf8').trim()
  if (name !== 'HEAD') return name
  throw new EngineError('USAGE', 'No branch is checked out, so pull requests have no base.', {
    hint: 'Check out the branch that the fixes are for.',
  })
}
