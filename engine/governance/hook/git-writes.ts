import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { plain } from './arguments.ts'
import type { Command, Word } from './shell.ts'

const WHOLE_TREE = new Set([
  'merge',
  'rebase',
  'pull',
  'cherry-pick',
  'revert',
  'am',
  'clean',
  'switch',
  'bisect',
  'sparse-checkout',
  'read-tree',
  'checkout-index',
])
const INSIDE_GIT = new Set([
  'update-ref',
  'symbolic-ref',
  'filter-branch',
  'replace',
  'hash-object',
  'fast-import',
  'commit-tree',
  'update-index',
  'prune',
  'gc',
  'reflog',
  'hook',
])

/** What git writes beyond what it is told to record. Its own folder stands for what goes past the hooks. */
export function byGit(given: readonly Word[], cwd: string, command: Command): Word[] {
  let at = 0
  let here = cwd
  const words: Word[] = []
  for (; at < given.length; at++) {
    const arg = given[at]
    if (arg === '-C') here = resolve(here, given[++at] ?? '.')
    else if (arg === '-c' || arg?.startsWith('--config-env')) {
      const setting = arg === '-c' ? given[++at] : arg
      if (setting === undefined || /hookspath|fsmonitor|sshcommand|editor|filter|alias/i.test(setting))
        words.push('.git/config')
    } else if (arg === '--git-dir' || arg === '--work-tree') at++
    else if (arg === undefined || !arg.startsWith('-')) break
  }
  const [verb, ...args] = given.slice(at)
  const names = plain(args, /^(-b|-B|-s|--source|-m|-F|--pathspec-from-file)$/)
  const from = (list: readonly Word[]) => list.map(name => (name === undefined ? undefined : resolve(here, name)))
  if (verb === undefined) return [...words, ...(given.length > at ? [undefined] : [])]
  const rest = (): Word[] => {
    if (WHOLE_TREE.has(verb)) return [here]
    if (INSIDE_GIT.has(verb)) return verb === 'hash-object' && !args.includes('-w') ? [] : [join(here, '.git', verb)]
    switch (verb) {
      case 'rm':
      case 'mv':
      case 'restore':
        return args.includes('--staged') && !args.includes('--worktree') ? [] : from(names)
      case 'checkout': {
        const split = args.indexOf('--')
        if (split >= 0) return from(args.slice(split + 1))
        if (args.some(arg => arg === '-b' || arg === '-B') && names.length === 0) return []
        const files = names.filter(
          name => name !== undefined && statSync(resolve(here, name), { throwIfNoEntry: false }),
        )
        return files.length > 0 ? from(files) : [here]
      }
      case 'reset':
        return args.some(arg => arg === '--hard' || arg === '--merge' || arg === '--keep') ? [here] : []
      case 'stash':
        return names[0] === 'list' || names[0] === 'show' ? [] : [here]
      case 'apply':
        return args.some(arg => arg === '--check' || arg === '--stat' || arg === '--numstat')
          ? []
          : patched(names[0], here, command)
      case 'config':
        return names.length > 1 ||
          args.some(arg => arg !== undefined && /^--(add|unset|replace|remove|rename|edit)/.test(arg))
          ? [join(here, '.git/config')]
          : []
      case 'commit':
        return args.some(
          arg => arg === '--no-verify' || (arg !== undefined && /^-[a-z]*n[a-z]*$/.test(arg) && !/^-m/.test(arg)),
        )
          ? [join(here, '.git/hooks')]
          : []
      case 'push':
        return args.includes('--no-verify') ? [join(here, '.git/hooks')] : []
      case 'submodule':
      case 'worktree':
        return ['status', 'list', 'summary'].includes(names[0] ?? 'status') ? [] : [here]
      default:
        return []
    }
  }
  return [...words, ...rest()]
}

/** The files that a patch names; the whole tree where it cannot be read. */
function patched(name: Word, cwd: string, { input }: Command): Word[] {
  let text = input
  if (name !== undefined) {
    try {
      text = readFileSync(resolve(cwd, name), 'utf8')
    } catch {
      return [cwd]
    }
  }
  const files = [...(text ?? '').matchAll(/^(?:\+\+\+ b\/|--- a\/|rename (?:from|to) )(.+?)\t?$/gm)].map(([, path]) =>
    resolve(cwd, path!),
  )
  return files.length > 0 ? [...new Set(files)] : [cwd]
}
