import { tryGit } from './git.ts'

/** Whether the clone has only the last part of the history; also where git does not say. */
export async function isShallow(root: string, signal?: AbortSignal): Promise<boolean> {
  const { stdout } = await tryGit(root, ['rev-parse', '--is-shallow-repository'], { signal })
  return stdout.toString('latin1').trim() !== 'false'
}
