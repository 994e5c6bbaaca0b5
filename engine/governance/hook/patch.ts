/**
 * The files that a patch names, as it names them: unified diffs, with git's headers or without, and the form that begins
 * with `*** Begin Patch`. None for a text that is no patch, or that names a file in a way that is not read here.
 */
export function listPatchPaths(patch: string): string[] {
  const own = [...patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm)]
  const diff = [...patch.matchAll(/^(?:\+\+\+|---|rename from|rename to|copy to|Index:) (.+?)(?:\t.*)?\r?$/gm)]
  const git = [...patch.matchAll(/^diff --git a\/(.+) b\/(.+?)\r?$/gm)].flatMap(([, from, to]) => [from!, to!])
  const named = [
    ...own.map(([, path]) => path!.trim()),
    ...diff.map(([, path]) => path!.replace(/^[ab]\//, '')),
    ...git,
  ]
  // A name in quotes holds escapes.
  if (named.some(path => path.startsWith('"'))) return []
  return [...new Set(named)].filter(path => path !== '/dev/null' && path !== 'dev/null')
}

/** Whether a text is a patch. */
export function isPatch(text: string): boolean {
  return /^\s*\*\*\* Begin Patch/.test(text) || /^(diff --git |--- .*\r?\n\+\+\+ )/m.test(text)
}
