import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../base/disk/make-folders.ts'
import { makeTemporaryFolder, removeTemporary } from '../base/disk/temporary.ts'
import { encodePath } from '../base/text/path-name.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import { runGit, tryGit } from '../sources/repository/git.ts'
import { splitNames } from './git-names.ts'
import { resolveBelow } from './rollback/kept.ts'

interface Options {
  signal?: AbortSignal
}

/**
 * Files that git ignores now and would not by the rules of a commit: a `.gitignore` is new or changed, and may even hide
 * itself. `found` are the paths that are known to differ. A new folder that ignores all that is in it, as caches do, is not told of.
 */
export async function findSelfHidden(
  root: string,
  commit: string,
  found: ReadonlySet<string>,
  options: Options,
): Promise<string[]> {
  const args = ['ls-files', '-o', '-i', '-z', '--directory', '--exclude-per-directory=.gitignore']
  const ignored = splitNames(await runGit(root, args, options)).filter(path => !path.endsWith('/'))
  if (ignored.length === 0) return []
  const hidden = new Set(ignored)
  const check = ['check-ignore', '-v', '-z', '--no-index', '--stdin']
  const told = splitNames((await tryGit(root, check, { ...options, input: lines(ignored) })).stdout)
  // Each answer is where the rule stands, its line, its pattern, and the path.
  const suspects = told
    .map((path, n) => ({ path, source: told[n - 3] ?? '' }))
    .filter(({ source }, n) => n % 4 === 3 && [found, hidden].some(set => set.has(source)))
  if (suspects.length === 0) return []
  const caches = await foldersOfTheirOwn(root, new Set(suspects.map(({ source }) => source)), options)
  const paths = suspects.filter(({ source }) => !caches.has(source)).map(({ path }) => path)
  return paths.length === 0 ? [] : notIgnoredBy(root, commit, paths, options)
}

/** Of these files of rules, those in whose folder nothing is tracked: what hides there is nobody's but its maker's. */
async function foldersOfTheirOwn(root: string, sources: ReadonlySet<string>, options: Options): Promise<Set<string>> {
  const own = [...sources].filter(source => source.includes('/'))
  if (own.length === 0) return new Set()
  const folders = own.map(source => dirname(source))
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--', ...folders]
  const tracked = splitNames(await runGit(root, args, options))
  return new Set(own.filter((_, n) => !tracked.some(path => path.startsWith(`${folders[n]}/`))))
}

/** Of these paths, those that the commit's own rules do not ignore: they are laid out elsewhere, and git is asked there. */
async function notIgnoredBy(root: string, commit: string, paths: string[], options: Options): Promise<string[]> {
  const folder = makeTemporaryFolder('svc-rules-')
  const tree = join(folder, 'tree')
  const reader = new BlobReader(root)
  try {
    mkdirSync(tree)
    const listed = splitNames(await runGit(root, ['ls-tree', '-r', '-z', '--full-tree', commit], options))
    for (const line of listed.filter(line => /^100\d+ blob [^\t]+\t(.*\/)?\.gitignore$/s.test(line))) {
      const [content] = await reader.read([line.split(/[ \t]/)[2]!], Number.POSITIVE_INFINITY)
      const file = resolveBelow(tree, encodePath(line.slice(line.indexOf('\t') + 1))).toString('latin1')
      makeFolders(Buffer.from(dirname(file), 'latin1'))
      if (content instanceof Uint8Array) writeFileSync(Buffer.from(file, 'latin1'), content)
    }
    await runGit(folder, ['init', '-q', '--bare', '--template=', join(folder, 'git')], options)
    const env = { GIT_DIR: join(folder, 'git'), GIT_WORK_TREE: tree }
    const args = ['-c', 'core.excludesFile=', 'check-ignore', '-z', '--no-index', '--stdin']
    const still = new Set(splitNames((await tryGit(tree, args, { ...options, input: lines(paths), env })).stdout))
    return paths.filter(path => !still.has(path))
  } finally {
    reader.close()
    removeTemporary(folder)
  }
}

function lines(paths: readonly string[]): Buffer {
  return Buffer.concat(paths.flatMap(path => [encodePath(path), Buffer.from([0])]))
}
