/** Words that may be a path: characters of names with a slash among them. */
const WORD = /[\p{L}\p{N}\p{M}_.@+~$%#=-]*(?:[\\/][\p{L}\p{N}\p{M}_.@+~$%#=-]+)+/gu

/** Hides where files lie: of a path only its last part stays. */
export type PathHider = (text: string) => string

/** The last part of a path. */
export function lastPart(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
}

/**
 * Makes a function that takes the directories of known files, of everything below the root, and of whatever is written like a path, out of a
 * text: what is named may be no file of the run. Addresses of the web stay, as do words with a slash such as `and/or`.
 */
export function makePathHider(root: string, paths: Iterable<string>): PathHider {
  const known = new Set<string>()
  const odd: string[] = []
  for (const path of paths) {
    if (!path.includes('/')) continue
    // A path with spaces or signs is no word: it is replaced as a text.
    if (path.replace(WORD, '') !== '') odd.push(path)
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) known.add(path.slice(0, at))
    known.add(path)
  }
  odd.sort((a, b) => b.length - a.length)
  return text => {
    let shown = text.replaceAll(`${root}/`, '').replaceAll(root, '.')
    if (!shown.includes('/')) return shown
    for (const path of odd) if (shown.includes(path)) shown = shown.replaceAll(path, lastPart(path))
    return shown.replace(WORD, (word, at: number, whole: string) => {
      if (/[a-z]:\/?$/i.test(whole.slice(Math.max(0, at - 8), at)) || whole.slice(Math.max(0, at - 3), at) === '://')
        return word
      const bare = word.replace(/^\.?[\\/]/, '').replace(/[.]+$/, '')
      return known.has(bare) || word.startsWith('/') || looksLikePath(word) ? lastPart(word) : word
    })
  }
}

/**
 * Whether a word with a slash is written like a path, of whatever file: from a directory on, with two slashes or more, or ending like a file.
 * `and/or`, `TLS/1.3` and dates are none.
 */
function looksLikePath(word: string): boolean {
  if (/^[\d./-]+$/.test(word)) return false
  return /^\.{0,2}[\\/]|^[~.]|[\\/].*[\\/]|\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(word)
}

/** A value with every text in it changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, mapTexts(own, change)])) as T
}
