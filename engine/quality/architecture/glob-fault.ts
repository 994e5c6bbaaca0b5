/** Why a glob matches no path of a repository, as the end of a sentence that begins with it; undefined where it may match one. */
export function findGlobFault(glob: string): string | undefined {
  if (glob.startsWith('!')) return 'cannot begin with `!`: list what is left out under except'
  if (glob.startsWith('/') || glob.startsWith('./')) return "must begin at the repository's root, without `/` or `./`"
  if (/(?:^|\/)\.\.(?:\/|$)/.test(glob)) return 'leads out of the repository with `..`'
  if (glob.includes('//')) return 'has an empty directory name'
  if (glob.includes('\0')) return 'has a NUL character'
  return findOpenFault(glob)
}

function findOpenFault(glob: string): string | undefined {
  let braces = 0
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]
    if (character === '\\') {
      if (at + 1 === glob.length) return 'ends with a backslash'
      at++
    } else if (character === '[') {
      const close = glob.indexOf(']', at + (/^[!^]/.test(glob.slice(at + 1)) ? 3 : 2))
      if (close === -1) return 'has a `[` that is never closed'
      at = close
    } else if (character === '{') braces++
    else if (character === '}' && --braces < 0) return 'has a `}` that nothing opens'
  }
  return braces > 0 ? 'has a `{` that is never closed' : undefined
}
