import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readNamedSettings } from '../../base/disk/settings-file.ts'
import { has, listOptionValues, readArguments } from './arguments.ts'
import { listPatchPaths } from './patch.ts'
import type { Command, Word } from './shell.ts'

/** A larger patch is not read: then nobody knows which files it writes. */
const MAX_PATCH_BYTES = 64 << 20

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const WHOLE_TREE = words(
  'merge rebase pull cherry-pick revert am clean switch bisect sparse-checkout read-tree checkout-index',
)
const INSIDE_GIT = words(`update-ref symbolic-ref filter-branch replace hash-object fast-import commit-tree update-index
  prune gc reflog hook repack pack-refs maintenance`)
/** What only looks, or records in git's own folder what the hooks and the look at the commits see. */
const RECORDS = words(`add annotate blame branch cat-file check-attr check-ignore check-ref-format cherry column commit
  count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref fsck grep help log ls-files ls-remote
  ls-tree merge-base merge-tree name-rev notes patch-id push range-diff remote request-pull rev-list rev-parse shortlog
  show show-branch show-ref stage status stripspace tag var verify-commit verify-tag version whatchanged --version
  --help`)
/** Options by which those start a program. */
const STARTING = ['open-files-in-pager', 'upload-pack', 'receive-pack', 'exec', 'ext-diff', 'textconv']
/** Letters of options that have a value, by verb; any other has those of `commit` and its like. */
const VALUED: Readonly<Record<string, string>> = { checkout: 'bB', mv: '', restore: 's', rm: '' }
/** Settings for one call that start nothing and move nothing. */
const PLAIN_SETTINGS =
  /^(user\.(name|email)|color\.\w+|core\.(quotepath|abbrev|autocrlf)|advice\.\w+|commit\.gpgsign|tag\.gpgsign|init\.defaultbranch|safe\.directory|diff\.\w+|log\.\w+|pull\.\w+|push\.default|http\.\w+|protocol\.version|gc\.auto)=(?!.*ext)|^core\.(pager|editor)=(cat|less|true|:|)$/i

/** What git writes beyond what it is told to record. Its own folder stands for what goes past the hooks. */
export function listGitWrites(given: readonly Word[], cwd: string, command: Command): Word[] {
  let at = 0
  let here = cwd
  const also: Word[] = []
  for (; at < given.length; at++) {
    const arg = given[at]
    if (arg === '-C') {
      const to = given[++at]
      if (to === undefined) return [undefined]
      here = resolve(here, to)
    } else if (arg === '-c') {
      if (!PLAIN_SETTINGS.test(given[++at] ?? '')) also.push('.git/config')
    } else if (
      arg !== undefined &&
      /^(-P|-p|--no-pager|--paginate|--no-optional-locks|--literal-pathspecs|--version|--help|--no-replace-objects)$/.test(
        arg,
      )
    ) {
      if (/^--(version|help)$/.test(arg)) break
    } else if (arg?.startsWith('-')) {
      // Another folder of git's, another working tree, other programs.
      also.push(arg.startsWith('--config-env') ? '.git/config' : undefined)
      if (/^--(git-dir|work-tree|namespace|super-prefix|exec-path)$/.test(arg)) at++
    } else break
  }
  const [verb, ...args] = given.slice(at)
  if (verb === undefined) return [...also, ...(given.length > at ? [undefined] : [])]
  return [...also, ...byVerb(verb, args, here, command)]
}

function byVerb(verb: string, args: readonly Word[], here: string, command: Command): Word[] {
  const told = readArguments(args, Object.hasOwn(VALUED, verb) ? VALUED[verb] : 'mFcCo', [
    'source',
    'message',
    'file',
    'pathspec-from-file',
    'output',
    'output-directory',
  ])
  const { names } = told
  const from = (list: readonly Word[]) => list.map(name => (name === undefined ? undefined : resolve(here, name)))
  const hooks = join(here, '.git/hooks')
  // A script for each step of the way, or for each module, may do anything.
  if (/^(rebase|bisect|submodule|difftool|mergetool)$/.test(verb) && runsScripts(verb, args)) return [here, undefined]
  // Ignored files are not only what was built: the records of governance are.
  if (verb === 'clean' && has(told, 'x', 'X')) return [here, join(here, '.svc/local/state.db')]
  if (WHOLE_TREE.has(verb)) return [here]
  if (INSIDE_GIT.has(verb)) return verb === 'hash-object' && !args.includes('-w') ? [] : [join(here, '.git', verb)]
  switch (verb) {
    case 'rm':
    case 'mv':
    case 'restore':
      if (has(told, 'pathspec-from-file')) return [undefined]
      return has(told, 'staged', 'S') && !has(told, 'worktree', 'W') && verb === 'restore' ? [] : from(names)
    case 'checkout': {
      const split = args.indexOf('--')
      if (split >= 0) return from(args.slice(split + 1))
      if (has(told, 'b', 'B') && names.length === 0) return []
      const isFile = (name: Word) => name === undefined || statSync(resolve(here, name), { throwIfNoEntry: false })
      // Only the first may be a commit; a file that is gone comes back by its name too.
      const files = isFile(names[0]) ? names : names.slice(1)
      return files.length > 0 ? from(files) : [here]
    }
    case 'reset':
      return has(told, 'hard', 'merge', 'keep') ? [here] : []
    case 'stash':
      return names[0] === 'list' || names[0] === 'show' ? [] : [here]
    case 'apply':
      return has(told, 'check', 'stat', 'numstat', 'summary') && !has(told, 'apply') ? [] : patched(args, here, command)
    case 'config':
      return (names.length > 1 && !/^(get|list)$/.test(names[0] ?? '')) ||
        args.some(arg => arg === undefined || /^(--(add|unset|replace|remove|rename|edit)|-e$)/.test(arg))
        ? [join(here, '.git/config')]
        : []
    case 'commit':
      if (has(told, 'no-verify', 'n')) return [hooks]
      break
    case 'push':
      if (has(told, 'no-verify')) return [hooks]
      break
    case 'submodule':
    case 'worktree':
      return ['status', 'list', 'summary'].includes(names[0] ?? 'status') ? [] : [here]
    case 'archive':
      return from(listOptionValues(told, 'o', 'output'))
    case 'bundle':
      return names[0] === 'create' ? from(names.slice(1, 2)) : []
    case 'format-patch':
      return has(told, 'stdout')
        ? []
        : has(told, 'o', 'output-directory')
          ? from(listOptionValues(told, 'o', 'output-directory'))
          : [here]
    case 'clone':
    case 'init':
      return [names[verb === 'clone' ? 1 : 0] === undefined ? here : resolve(here, names[verb === 'clone' ? 1 : 0]!)]
  }
  if (!RECORDS.has(verb)) return [undefined]
  if (verb === 'grep' && has(told, 'O')) return [undefined]
  if (args.some(arg => arg === undefined || arg.startsWith('ext::'))) return [undefined]
  // `--text` is an option of its own, and no short form of `--textconv`.
  told.options.delete('text')
  return has(told, ...STARTING) ? [undefined] : from(listOptionValues(told, 'output'))
}

function runsScripts(verb: string, args: readonly Word[]): boolean {
  if (verb === 'difftool' || verb === 'mergetool') return true
  return args.some(arg => arg === undefined || /^(-x|--exec|-i|--interactive|run|foreach)/.test(arg))
}

/** The files that a patch names; the whole tree where it cannot be read. */
function patched(args: readonly Word[], cwd: string, { input }: Command): Word[] {
  const told = readArguments(args, 'pC', ['directory', 'include', 'exclude', 'whitespace'])
  // Another root, or another number of folders left out.
  if (has(told, 'p', 'directory', 'unsafe-paths')) return [undefined]
  const texts = told.names.length === 0 ? [input] : told.names.map(name => textOf(name, cwd))
  const files = texts.map(text => listPatchPaths(text ?? ''))
  return files.some(list => list.length === 0) ? [cwd, undefined] : files.flat().map(file => resolve(cwd, file))
}

function textOf(name: Word, cwd: string): string | undefined {
  if (name === undefined) return undefined
  try {
    return readNamedSettings(resolve(cwd, name), name, { most: MAX_PATCH_BYTES })?.toString('utf8')
  } catch {
    return undefined
  }
}
