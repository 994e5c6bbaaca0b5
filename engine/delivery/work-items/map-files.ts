import { tryGit } from '../../sources/repository/git.ts'

/** Commits that are read, the newest first. */
const MOST_COMMITS = 20_000
/** Files of one requirement; what most commits changed first. */
const MOST_FILES = 30

/**
 * Files that commits changed whose message names a work item's key, by key. Only files that there are at HEAD. The message has the key as a word:
 * `#12` is not in `#123`. One pass over git's log.
 */
export async function mapFilesByKey(
  root: string,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const args = ['log', `--max-count=${MOST_COMMITS}`, '--no-merges', '-z', '--name-only', '--format=%x01%B%x02', 'HEAD']
  const [log, tree] = await Promise.all([
    tryGit(root, args, { signal }),
    tryGit(root, ['ls-tree', '-r', '-z', '--name-only', 'HEAD'], { signal }),
  ])
  const there = new Set(tree.stdout.toString('utf8').split('\0'))
  const wanted = new Map(keys.map(key => [key.toLowerCase(), key]))
  const counts = new Map<string, Map<string, number>>()
  for (const commit of log.stdout.toString('utf8').split('\u0001').slice(1)) {
    const [message = '', names = ''] = commit.split('\u0002')
    const named = new Set(
      [...message.matchAll(/(?<![\w#/-])(?:[A-Z][A-Z0-9_]{1,30}-[0-9]{1,9}|(?:AB|GH)?#[0-9]{1,9})(?![\w-])/gi)].flatMap(
        ([key]) => wanted.get(key.toLowerCase()) ?? [],
      ),
    )
    if (named.size === 0) continue
    const files = names
      .split('\0')
      .map(name => name.replace(/^\n/, ''))
      .filter(name => name !== '' && there.has(name))
    for (const key of named) {
      const own = counts.get(key) ?? new Map<string, number>()
      for (const file of files) own.set(file, (own.get(file) ?? 0) + 1)
      counts.set(key, own)
    }
  }
  return new Map(
    [...counts].map(([key, files]) => [
      key,
      [...files]
        .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        .slice(0, MOST_FILES)
        .map(([file]) => file)
        .sort(),
    ]),
  )
}
