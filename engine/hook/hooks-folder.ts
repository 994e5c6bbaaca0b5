import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { isInside } from '../base/disk/project-write.ts'
import { EngineError } from '../base/errors.ts'
import { describeGitFailure, runGit, saysNoRepository, tryGit } from '../sources/repository/git.ts'

/** Where git looks for the hooks of a work tree. */
export interface HooksFolder {
  /** Absolute. */
  path: string
  /** Top folder of the work tree, absolute. */
  root: string
  /** For a person: relative to the top where it is inside, else absolute. */
  shown: string
  /** Other repositories have their hooks there too: core.hooksPath is set for the person or the machine. */
  shared: boolean
  /** The folder is among the repository's own files, so that others may get what is in it. */
  carried: boolean
}

/**
 * Finds the hooks folder as git does: core.hooksPath, from the top folder where it is relative, else `hooks` in the
 * repository's common folder, which all work trees share. The folder need not exist.
 * REPO_NOT_FOUND where there is no repository, CONFLICT in a bare one, in which nobody commits.
 */
export async function locateHooks(start: string): Promise<HooksFolder> {
  const answers = await revParse(start, ['--is-bare-repository', '--git-common-dir'])
  if (answers[0] === 'true') {
    throw new EngineError(
      'CONFLICT',
      'This is a bare repository: it has no commits from a work tree, so no commit hook.',
      {
        hint: 'Install the hook in a clone or a work tree.',
      },
    )
  }
  const root = realpathSync.native(resolve(start, (await revParse(start, ['--show-toplevel']))[0]!))
  const common = realpathSync.native(resolve(start, answers[1]!))
  const set = await configuredPath(start)
  const path = set ? resolve(root, set.path) : join(common, 'hooks')
  const inside = isInside(root, path)
  return {
    path,
    root,
    shown: inside ? relative(root, path) : path,
    shared: set?.shared === true && !inside,
    carried: inside && !isInside(common, path),
  }
}

async function revParse(start: string, args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await tryGit(start, ['rev-parse', ...args])
  if (code === 0) return stdout.toString('utf8').split('\n')
  if (saysNoRepository(stderr)) {
    throw new EngineError('REPO_NOT_FOUND', 'No git repository here; only git runs commit hooks.', {
      hint: 'Run `git init` first.',
    })
  }
  throw describeGitFailure(['rev-parse', ...args], stderr)
}

/** core.hooksPath as it is configured: svc's own calls to git set it on the command line, which does not count. */
async function configuredPath(start: string): Promise<{ path: string; shared: boolean } | undefined> {
  const args = ['config', '--null', '--show-scope', '--type=path', '--get-all', 'core.hooksPath']
  const fields = (await runGit(start, args)).toString('utf8').split('\0')
  let found: { path: string; shared: boolean } | undefined
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, path] = [fields[at]!, fields[at + 1]!]
    if (scope === 'command' && path === '/dev/null') continue
    found = { path, shared: isAbsolute(path) && (scope === 'global' || scope === 'system') }
  }
  return found
}
