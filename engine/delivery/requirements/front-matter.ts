/** A Markdown file's front matter and the text below it. */
export interface FrontMatter {
  yaml: string
  body: string
  /** The line on which the YAML begins, from 1. */
  line: number
  /** The line on which the body begins. */
  bodyLine: number
}

/** More than this is no front matter. */
const MOST = 65_536

/** Splits a text into its front matter, between two lines of three hyphens, and its body; undefined where it has none. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const opening = /^---[ \t]*\r?\n/.exec(source)
  if (!opening) return undefined
  const start = opening[0].length
  for (let at = start; at < source.length && at < MOST; ) {
    const feed = source.indexOf('\n', at)
    const end = feed === -1 ? source.length : feed
    if (/^(?:---|\.\.\.)\s*$/.test(source.slice(at, Math.min(end, at + 100)))) {
      const yaml = source.slice(start, at)
      return { yaml, body: source.slice(end + 1), line: 2, bodyLine: countLines(yaml) + 3 }
    }
    if (feed === -1) return undefined
    at = feed + 1
  }
  return undefined
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
