/** Languages whose files are markup with scripts in it. */
const MARKUP = new Set(['vue', 'svelte'])
const SCRIPT = /<script\b([^>]{0,500})>/gi
const TYPESCRIPT = /\blang\s*=\s*["']?(?:ts|tsx|typescript)\b/i

/** A component's scripts with all else blanked, so that offsets stay; any other file as it is. */
export function findComponentScripts(language: string, text: string): { text: string; language: string } {
  if (language === 'astro') return { text: blankAround(text, findFrontmatter(text)), language: 'typescript' }
  if (!MARKUP.has(language)) return { text, language }
  const ranges: [number, number][] = []
  let isTyped = false
  for (const open of text.matchAll(SCRIPT)) {
    const start = open.index + open[0].length
    if (start < (ranges.at(-1)?.[1] ?? 0)) continue
    const end = text.indexOf('</script', start)
    ranges.push([start, end === -1 ? text.length : end])
    isTyped ||= TYPESCRIPT.test(open[1]!)
  }
  return { text: blankAround(text, ranges), language: isTyped ? 'typescript' : 'javascript' }
}

/** The script of an Astro component: between the first two lines of three hyphens. */
function findFrontmatter(text: string): [number, number][] {
  const start = /^\s*---[^\S\n]*\n/.exec(text)?.[0].length
  if (start === undefined) return []
  const end = text.indexOf('\n---', start)
  return [[start, end === -1 ? text.length : end + 1]]
}

function blankAround(text: string, ranges: readonly [number, number][]): string {
  let out = ''
  let from = 0
  for (const [start, end] of ranges) {
    out += text.slice(from, start).replace(/[^\n]/g, ' ') + text.slice(start, end)
    from = end
  }
  return out + text.slice(from).replace(/[^\n]/g, ' ')
}
