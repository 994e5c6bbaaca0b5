/**
 * The text of a .gitignore with these folders (`out/`) ignored too: missing lines are added at the end, in the file's
 * own line ending, and everything that is there stays byte for byte. The same text where nothing is missing.
 */
export function addIgnored(text: string, folders: readonly string[]): string {
  const known = new Set(text.split(/\r?\n/).map(line => bare(line.trim())))
  const missing = folders.filter(folder => !known.has(bare(folder)))
  if (missing.length === 0) return text
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const before = text === '' || text.endsWith('\n') ? text : `${text}${end}`
  return `${before}${missing.map(folder => `${folder}${end}`).join('')}`
}

/** A line without the slashes at its ends: `/out/`, `out/` and `out` all keep the folder out. */
function bare(line: string): string {
  return line.replace(/^\/|\/$/g, '')
}
