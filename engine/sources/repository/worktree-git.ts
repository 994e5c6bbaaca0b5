import { isAllPlain, type PathName, parsePathName } from '../../base/text/path-name.ts'
import { describeGitFailure, type GitOptions, runGit, tryGit } from './git.ts'

/** An entry of a work tree's index. */
export interface Entry extends PathName {
  kind: 'file' | 'submodule'
  sparse: boolean
  /** git's name of the content that was added; undefined where git was told not to look whether the file is still that. */
  oid: string | undefined
  /** What a sparse checkout leaves out: git's name of its content, and whether it is a symbolic link. */
  absent?: { oid: string; isLink: boolean }
}

/** The entries of the index, those below `scope` where it names a folder. */
export async function listIndexEntries(
  folder: string,
  scope: readonly string[],
  options: GitOptions,
): Promise<Entry[]> {
  return parseIndex(await runGit(folder, ['--literal-pathspecs', 'ls-files', '-s', '-v', '-z', ...scope], options))
}

/** `<tag> <mode> <object> <stage>`, a tab, the path, a NUL: `git ls-files -s -v -z`. A lower-case tag: git does not look (assume-unchanged). */
function parseIndex(output: Buffer): Entry[] {
  const entries: Entry[] = []
  let before: string | undefined
  // A record's fields are ASCII, and so have the same places in its bytes and in its text.
  for (const { path: record, raw } of nulSeparated(output)) {
    const tab = record.indexOf('\t')
    const name = raw === undefined ? { path: record.slice(tab + 1) } : parsePathName(raw.subarray(tab + 1))
    // A path with a conflict stands once for each stage.
    if (name.path === before) continue
    before = name.path
    const tag = record[0]
    const sparse = tag === 'S' || tag === 's'
    const oid = record.slice(9, record.indexOf(' ', 9))
    entries.push({
      path: name.path,
      raw: name.raw,
      kind: record.startsWith('16', 2) ? 'submodule' : 'file',
      sparse,
      oid: tag === 'H' ? oid : undefined,
      ...(sparse && { absent: { oid, isLink: record.startsWith('12', 2) } }),
    })
  }
  return entries
}

/** The parts of git's output between NULs; for hundreds of thousands of plain ones at the price of one text. */
function nulSeparated(output: Buffer): PathName[] {
  if (isAllPlain(output)) {
    const texts = output.toString('utf8').split('\0')
    texts.pop()
    return texts.map(path => ({ path }))
  }
  const found: PathName[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    found.push(parsePathName(output.subarray(at, end)))
    at = end + 1
  }
  return found
}

/** What HEAD is. */
export interface Head {
  sha?: string
  branch?: string
}

/** What stands in a work tree beside or in place of what was added. */
export interface Status {
  untracked: PathName[]
  /** Paths of the index whose file is not what was added; left out where git could not be asked. */
  changed?: ReadonlySet<string>
  /** What git said on standard error. */
  warnings: string
  /** Left out where git could not be asked. */
  head?: Head
}

/** The changes and the untracked files in one pass of git over the tree, which it makes on several threads. */
export async function readStatus(folder: string, scope: readonly string[], options: GitOptions): Promise<Status> {
  const call = ['-c', 'core.autocrlf=false', '--literal-pathspecs', ...STATUS, ...scope]
  const { code, stdout, stderr } = await tryGit(folder, call, options)
  if (code !== 0) throw describeGitFailure(['status'], stderr)
  const untracked: PathName[] = []
  const head: Head = {}
  const changed = new Set<string>()
  for (const { path: record, raw } of nulSeparated(stdout)) {
    if (record.startsWith('# ')) headOf(record, head)
    const fields = FIELDS_BEFORE_PATH[record[0]!]
    if (fields === undefined) continue
    let start = 0
    for (let field = 0; field < fields; field++) start = record.indexOf(' ', start) + 1
    const name = raw === undefined ? { path: record.slice(start) } : parsePathName(raw.subarray(start))
    if (record.startsWith('?')) untracked.push(name)
    // The second letter is the working tree against the index; of a conflict, git cannot say what the file is.
    else if (record.startsWith('u') || record[3] !== '.') changed.add(name.path)
  }
  return { untracked, changed, warnings: stderr, head }
}

/**
 * Paths of the index whose file has not the times and the size that the index has of it, also where git takes it for unchanged
 * once it has read it: a file that git converts may then be another than the one that was added.
 */
export async function listTouchedFiles(
  folder: string,
  scope: readonly string[],
  options: GitOptions,
): Promise<string[]> {
  const args = ['--literal-pathspecs', 'diff-files', '--name-only', '--ignore-submodules=all', '-z', ...scope]
  return nulSeparated(await runGit(folder, args, options)).map(({ path }) => path)
}

/** Whether git's own settings (the machine's, the user's, the repository's) have it convert line endings of any file. */
export async function convertsLineEnds(folder: string, options: GitOptions): Promise<boolean> {
  const { stdout } = await tryGit(folder, ['config', '--get', 'core.autocrlf'], options)
  return !/^(?:|false|no|off|0)$/i.test(stdout.toString('latin1').trim())
}

const STATUS = [
  ...['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'],
  // What HEAD is comes with it; how far it is ahead of its upstream is not wanted.
  ...['--branch', '--no-ahead-behind'],
]

/** Takes what one of git's lines about the branch says; before the first commit and off any branch it says so in parentheses. */
function headOf(record: string, head: Head): void {
  const [, name, value = ''] = /^# branch\.(oid|head) (.+)$/s.exec(record) ?? []
  if (value.startsWith('(')) return
  if (name === 'oid') head.sha = value
  if (name === 'head') head.branch = value
}

/** Fields of a record of git's status, by its kind: changed, in conflict, untracked. */
const FIELDS_BEFORE_PATH: Record<string, number | undefined> = { 1: 8, u: 10, '?': 1 }

/** Only what is untracked, for a tree in which git may not look into the tracked files. */
export async function listUntracked(folder: string, scope: readonly string[], options: GitOptions): Promise<Status> {
  const args = ['--literal-pathspecs', 'ls-files', '-o', '--exclude-standard', '-z', ...scope]
  const { code, stdout, stderr } = await tryGit(folder, args, options)
  if (code !== 0) throw describeGitFailure(['ls-files', '-o'], stderr)
  return { untracked: nulSeparated(stdout), warnings: stderr }
}

/** git warns of folders that it may not open, and goes on. */
export function listUnreadable(stderr: string): string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.*)': /gm)].map(match => match[1]!)
}
