import { makeTemporaryFolder, removeTemporary } from '../../base/disk/temporary.ts'
import { EngineError } from '../../base/errors.ts'
import { runGit } from '../../sources/repository/git.ts'
import type { Wanted } from './repositories.ts'
import { type Authorize, describeTransfer, transfer } from './transfer.ts'

/** A repository at one commit. */
export type Resolved = Wanted & { commit: string }

/** A repository whose commit could not be had. */
export interface Unresolved {
  project: string
  reason: string
}

/** Servers that are asked at the same time. */
const AT_ONCE = 8
/** To list references takes a few seconds and no room. */
const LIMITS = { bytes: 1 << 20, milliseconds: 60_000 }

/**
 * Asks each server for the commit of its branch, so that the same commit is never queued twice. What cannot be had is answered beside the
 * rest: one repository that is gone must not hold up five thousand.
 */
export async function resolveCommits(
  wanted: readonly Wanted[],
  {
    env,
    signal,
    authorize,
  }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal; authorize: Authorize },
  onProgress: (done: number) => void = () => {},
): Promise<{ resolved: Resolved[]; unresolved: Unresolved[] }> {
  const resolved: Resolved[] = []
  const unresolved: Unresolved[] = []
  const directory = makeTemporaryFolder('svc-resolve-')
  let next = 0
  try {
    await runGit(directory, ['init', '-q', '--bare', directory], { signal })
    const resolveNext = async () => {
      for (let at = next++; at < wanted.length; at = next++) {
        const one = wanted[at]!
        try {
          resolved.push(one.commit === undefined ? await ask(one) : { ...one, commit: one.commit })
        } catch (error) {
          if (signal.aborted || !(error instanceof EngineError)) throw error
          unresolved.push({ project: one.project, reason: error.message })
        }
        onProgress(resolved.length + unresolved.length)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, resolveNext))
  } finally {
    removeTemporary(directory)
  }
  return { resolved, unresolved }

  async function ask(one: Wanted): Promise<Resolved> {
    const { address, ref } = one
    const authorization = await authorize(address)
    const names =
      ref === undefined ? ['HEAD'] : ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`]
    const done = await transfer(
      { address, mirror: directory, authorization },
      ['ls-remote', '--symref', address.text, ...names, ...names.map(name => `${name}^{}`)],
      { env, signal, limits: LIMITS },
    )
    if (done.code !== 0) throw new EngineError('TOOL_MISSING', describeTransfer(done, LIMITS))
    const lines = done.stdout
      .toString('utf8')
      .split('\n')
      .map(line => line.split('\t') as [string, string?])
    const target = lines.find(([left, name]) => name === 'HEAD' && left.startsWith('ref: '))?.[0].slice('ref: '.length)
    for (const name of names) {
      // An annotated tag is an object of its own: its commit has the mark behind the name.
      const found =
        lines.find(([, own]) => own === `${name}^{}`) ??
        lines.find(([left, own]) => own === name && /^[0-9a-f]+$/.test(left))
      if (!found) continue
      const branch = name === 'HEAD' ? target : name
      const { ref: _, ...rest } = one
      return { ...rest, commit: found[0], ...(branch !== undefined && { ref: branch }) }
    }
    throw new EngineError('NOT_FOUND', ref === undefined ? 'it has no commit' : `it has no branch or tag ${ref}`)
  }
}
