import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGit } from '../../sources/repository/git.ts'
import type { Address } from './address.ts'

/** Says that what is missing may be fetched, until all that is needed is there. */
const PROMISED = '\tpromisor = true\n[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tpartialClone = origin\n'

const OWN_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n'

/** A repository of its own whose objects are the mirror's, on the branch, so that a scan of it is that of a clone. */
export async function makeTree(
  folder: string,
  mirror: string,
  address: Address,
  { commit, ref }: { commit: string; ref: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(folder, { mode: 0o700 })
  const branch = ref?.startsWith('refs/heads/') ? ref : undefined
  await runGit(folder, ['init', '-q', folder], { signal })
  writeFileSync(join(folder, '.git/objects/info/alternates'), `${join(mirror, 'objects')}\n`)
  const own = { signal, env: { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder } }
  appendFileSync(join(folder, '.git/config'), describeOrigin(address) + PROMISED)
  if (branch !== undefined) await runGit(folder, ['symbolic-ref', 'HEAD', branch], own)
  await runGit(folder, ['update-ref', ...(branch === undefined ? ['--no-deref'] : []), 'HEAD', commit], own)
}

/** Takes back that anything may be fetched: what is missing then is said to be. */
export function forbidFetching(folder: string, address: Address): void {
  writeFileSync(join(folder, '.git/config'), OWN_CONFIG + describeOrigin(address))
}

/** Has it be as it was made. */
export function allowFetching(folder: string, address: Address): void {
  writeFileSync(join(folder, '.git/config'), OWN_CONFIG + describeOrigin(address) + PROMISED)
}

/** The section of the remote in a configuration of git. A directory has no server whose settings would allow a partial clone. */
export function describeOrigin({ text, host }: Address): string {
  const url = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
  const serving = `\tuploadpack = git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack\n`
  return `[remote "origin"]\n\turl = "${url}"\n${host === undefined ? serving : ''}`
}
