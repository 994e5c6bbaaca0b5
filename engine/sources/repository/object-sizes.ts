import { EngineError } from '../../base/errors.ts'
import { runGit } from './git.ts'

/** Bytes of each of these objects, by git's name of it. REPO_UNREADABLE where the repository does not have one of them; nothing is fetched. */
export async function readObjectSizes(
  root: string,
  oids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const { sizes, missing } = await askObjects(root, oids, signal)
  const [first] = missing
  if (first === undefined) return sizes
  throw new EngineError(
    'REPO_UNREADABLE',
    `The repository does not have the object ${first}, and ${missing.length - 1} more.`,
    {
      hint: 'Fetch the contents of the commit first.',
    },
  )
}

/** Which of these objects the repository has, with their bytes, and which it does not have. It must not be a partial clone, of which git says nothing. */
export async function askObjects(
  root: string,
  oids: readonly string[],
  signal: AbortSignal,
): Promise<{ sizes: Map<string, number>; missing: string[] }> {
  const sizes = new Map<string, number>()
  const missing: string[] = []
  const output = await runGit(root, ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'], {
    input: Buffer.from(`${oids.join('\n')}\n`),
    signal,
  })
  for (const line of output.toString('latin1').split('\n')) {
    if (line === '') continue
    const [oid = '', size = ''] = line.split(' ')
    if (size === 'missing') missing.push(oid)
    else sizes.set(oid, Number(size))
  }
  return { sizes, missing }
}
