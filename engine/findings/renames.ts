import type { Finding } from '../base/records/finding.ts'
import { computeFingerprint, foldSpace } from '../base/records/fingerprint.ts'
import { findKey } from '../base/records/rule-ids.ts'
import { parsePathName } from '../base/text/path-name.ts'
import { Positions } from '../base/text/positions.ts'
import { computeGitName, tryGit } from '../sources/repository/git.ts'
import { isShallow } from '../sources/repository/shallow.ts'
import type { Former } from './baseline.ts'

/** Pairs that git compares when it looks for renames; the exact ones cost nothing and are not counted. */
const RENAME_LIMIT = 5000
/** Numbers among equal findings that are tried around the expected one; more would make a file of many findings slow. */
const MOST_TRIED = 16

/**
 * The files that git sees as renamed between a commit and the index, by their present path: where they were. Undefined where
 * the repository does not have the commit (a shallow clone, a rebase). The index and not the working tree is compared, since
 * for the latter git may run filters that the repository's configuration names.
 */
export async function findRenamesSince(
  root: string,
  commit: string,
  signal?: AbortSignal,
): Promise<Map<string, string> | undefined> {
  const args = ['diff-index', '--cached', '--name-status', '-z', '-M', `-l${RENAME_LIMIT}`, '--diff-filter=R']
  const { code, stdout } = await tryGit(root, [...args, commit, '--'], { signal })
  return code === 0 ? parseRenames(stdout) : undefined
}

/** Commits that changed a file among which the one that wrote its present content is looked for. */
const MOST_COMMITS = 1000

/**
 * The commit before the one that brought a file's content into the history, whose paths are those of before: HEAD for a content that is not
 * committed yet, the commit itself where it has no parent. Undefined where the history of this clone does not reach it.
 */
export async function findCommitBefore(
  root: string,
  path: string,
  content: Uint8Array,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const form = ['--format=%H %P', '--raw', '--no-abbrev', '--no-renames', '--diff-merges=first-parent']
  const { code, stdout } = await tryGit(root, ['log', `-n${MOST_COMMITS}`, ...form, '--', path], { signal })
  if (code !== 0) return undefined
  let commit = ''
  let parent: string | undefined
  for (const line of stdout.toString('latin1').split('\n')) {
    // Behind the name of a commit without a parent stands a space.
    const head = /^([0-9a-f]{40,64})((?: [0-9a-f]{40,64})*) ?$/.exec(line)
    if (head) {
      commit = head[1]!
      parent = head[2]!.split(' ')[1]
      continue
    }
    const written = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /.exec(line)?.[1]
    if (written === undefined || !isNamed(written, content)) continue
    return parent ?? ((await isShallow(root, signal)) ? undefined : commit)
  }
  return 'HEAD'
}

/** Whether git calls the content so, with the line ends that it has or those of a repository that turns them. */
function isNamed(name: string, content: Uint8Array): boolean {
  if (computeGitName(content, name) === name) return true
  const text = Buffer.from(content).toString('latin1')
  return text.includes('\r\n') && computeGitName(Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1'), name) === name
}

/** `R<score>`, the old path, the new path, each followed by a NUL: the form of `git diff --name-status -z`. */
export function parseRenames(output: Buffer): Map<string, string> {
  const renames = new Map<string, string>()
  const fields: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    const stop = end === -1 ? output.length : end
    fields.push(output.subarray(at, stop))
    at = stop + 1
  }
  for (let at = 0; at + 2 < fields.length; at += 3)
    renames.set(parsePathName(fields[at + 2]!).path, parsePathName(fields[at + 1]!).path)
  return renames
}

/**
 * The fingerprints that a file's findings had at an earlier path, by their present ones. `findings` are all of the file's and
 * `text` is its content. Nothing is guessed: what a finding was made from is cut out of the text and must give the present
 * fingerprint before the former one is made of it, so a finding that cannot be accounted for (the file has changed
 * meanwhile) is left out.
 */
export function findFormerFingerprints(
  findings: readonly Finding[],
  text: string,
  formerPath: string,
  more: (finding: Finding, cut: string) => string[] = () => [],
): Map<string, Former> {
  const positions = new Positions(text)
  const equals = new Map<string, number>()
  const former = new Map<string, Former>()
  for (const finding of findings) {
    const start = positions.offset(finding.line, finding.column)
    const end = positions.offset(finding.end_line, finding.end_column)
    const cut = foldSpace(text.slice(start, end))
    for (const folded of [cut, '', ...more(finding, cut)]) {
      const index = indexOf(finding, folded, equals)
      if (index === undefined) continue
      former.set(finding.fingerprint, {
        file: formerPath,
        fingerprint: computeFingerprint(findKey(finding), formerPath, folded, index),
      })
      break
    }
  }
  return former
}

/** The finding's number among equal ones: the one with which its fingerprint comes out. Mostly the next after the last. */
function indexOf(finding: Finding, folded: string, equals: Map<string, number>): number | undefined {
  const { file, fingerprint: present } = finding
  const rule = findKey(finding)
  const key = `${rule}\0${folded}`
  const expected = equals.get(key) ?? 0
  for (let index = expected; index < expected + MOST_TRIED; index++) {
    if (computeFingerprint(rule, file, folded, index) !== present) continue
    equals.set(key, index + 1)
    return index
  }
  return undefined
}
