import { expandAlternatives } from './glob.ts'

/** A longer glob is a mistake, or an attack. */
const LONGEST_GLOB = 1000

/**
 * Why a glob of repository paths can never match a file, as the end of a sentence that begins with its name; undefined where it can. `compileGlob`
 * takes such a glob all the same, and a rule whose glob matches nothing looks like one that everything obeys.
 */
export function findGlobFault(glob: string): string | undefined {
  if (glob.trim() === '') return 'must not be empty'
  if (glob.length > LONGEST_GLOB) return `must have at most ${LONGEST_GLOB} characters`
  if (glob.includes('\0')) return 'must not contain a NUL character'
  if (glob.startsWith('!')) return 'must not begin with `!`: list what is left out under except'
  if (glob.startsWith('/'))
    return `must be relative to the root of the repository: write ${glob.replace(/^\/+/, '') || '**'}`
  if (/^[A-Za-z]:[\\/]/.test(glob)) return 'must be relative to the root of the repository, not to a drive'
  if (/(^|\/)\.{1,2}(\/|$)/.test(glob))
    return 'must not contain `.` or `..` as a directory: paths begin at the root of the repository'
  if (glob.includes('//')) return 'must not contain two slashes in a row'
  if (glob.endsWith('/')) return `must name files: write ${glob}** for all files of the directory`
  if (/^[^/[{]*\\[A-Za-z0-9]/.test(glob)) return `must use forward slashes: write ${glob.replaceAll('\\', '/')}`
  return findUnclosed(glob) ?? findTooMany(glob)
}

function findUnclosed(glob: string): string | undefined {
  let braces = 0
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]
    if (character === '\\') at++
    else if (character === '{') braces++
    else if (character === '}' && --braces < 0) return 'has a `}` without a `{`'
    else if (character === '[') {
      const end = glob.indexOf(']', at + (/[!^]/.test(glob[at + 1] ?? '') ? 3 : 2))
      if (end === -1) return 'has a `[` that is never closed'
      at = end
    }
  }
  return braces > 0 ? 'has a `{` that is never closed' : undefined
}

function findTooMany(glob: string): string | undefined {
  const isOneForAll = /\{[^{}]*,/.test(glob) && expandAlternatives(glob).length === 1
  return isOneForAll ? 'has more than 128 alternatives in braces' : undefined
}
