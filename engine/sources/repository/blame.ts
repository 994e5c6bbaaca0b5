import { tryGit } from './git.ts'

/** Files that are blamed at once. */
const AT_ONCE = 4

/**
 * The commit that wrote each line of these files as they are on disk, by line number from 1; lines that are not committed have none. A file that
 * git cannot blame (untracked, gone) is left out.
 */
export async function blameFiles(
  root: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Map<number, string>>> {
  const found = new Map<string, Map<number, string>>()
  const left = [...files]
  const work = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const lines = await blame(root, file, signal)
      if (lines) found.set(file, lines)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return found
}

async function blame(root: string, file: string, signal: AbortSignal): Promise<Map<number, string> | undefined> {
  const { code, stdout } = await tryGit(root, ['--literal-pathspecs', 'blame', '--porcelain', '--', file], { signal })
  if (code !== 0) return undefined
  const commits = new Map<number, string>()
  for (const [, sha, line] of stdout.toString('latin1').matchAll(/^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/gm))
    if (!/^0+$/.test(sha!)) commits.set(Number(line), sha!)
  return commits
}
