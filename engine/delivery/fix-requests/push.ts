import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../../base/errors.ts'
import { runGit, tryGit } from '../../sources/repository/git.ts'
import { transferProfile } from '../../sources/repository/git-transfer.ts'
import { TRAILER } from './commit.ts'

/** Where a branch is pushed to. */
export interface Remote {
  url: string
  authorization: string
}

/** What became of a push. `foreign` where the branch has commits of somebody else, which are never overwritten. */
export type PushResult = 'created' | 'updated' | 'unchanged' | 'foreign'

/**
 * Pushes a commit to a branch of the remote, with svc's settings alone: no hook, no helper and no other host. A branch that is there is
 * replaced only if its head is a commit of svc's. TOOL_MISSING where the remote refuses or does not answer.
 */
export async function pushBranch(
  root: string,
  remote: Remote,
  { branch, sha }: { branch: string; sha: string },
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<PushResult> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-push-'))
  try {
    await runGit(directory, ['init', '-q', '--bare', directory], { signal })
    const common = (await runGit(root, ['rev-parse', '--path-format=absolute', '--git-common-dir'], { signal }))
      .toString('utf8')
      .trim()
    const shallow = join(common, 'shallow')
    if (existsSync(shallow)) copyFileSync(shallow, join(directory, 'shallow'))
    const { host } = new URL(remote.url)
    const profile = transferProfile({ ...remote, host, directory, objects: join(common, 'objects') }, env)
    const git = (args: string[]) => tryGit(directory, [...profile.args, ...args], { env: profile.env, signal })
    const ref = `refs/heads/${branch}`
    const listed = await git(['ls-remote', remote.url, ref])
    if (listed.code !== 0) throw describeFailure(listed.stderr, remote)
    const there = /^([0-9a-f]{40,64})\t/.exec(listed.stdout.toString('utf8'))?.[1]
    if (there === sha) return 'unchanged'
    if (there !== undefined) {
      const fetched = await git(['fetch', '-q', '--depth=1', '--no-tags', remote.url, ref])
      if (fetched.code !== 0) throw describeFailure(fetched.stderr, remote)
      const { stdout } = await git(['show', '-s', '--format=%B', there])
      if (!new RegExp(`^${TRAILER}: `, 'm').test(stdout.toString('utf8'))) return 'foreign'
    }
    // The lease holds the push to what was just seen.
    const pushed = await git(['push', '-q', `--force-with-lease=${ref}:${there ?? ''}`, remote.url, `${sha}:${ref}`])
    if (pushed.code !== 0) throw describeFailure(pushed.stderr, remote)
    return there === undefined ? 'created' : 'updated'
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function describeFailure(stderr: string, { url, authorization }: Remote): EngineError {
  const line = stderr.split('\n').find(text => /^(?:fatal|error|remote|!)/.test(text.trim())) ?? 'git gave no reason'
  const secret = authorization.split(' ')[1] ?? authorization
  return new EngineError(
    'TOOL_MISSING',
    `The branch could not be pushed to ${new URL(url).host}: ${line.replaceAll(secret, '[token]').slice(0, 300)}`,
    {
      hint: 'The token needs permission to push; `svc test-connection` shows what it may.',
    },
  )
}
