import { escapeHtml } from '../../base/text/visible.ts'

/** Average width of a character of 11 px Verdana, as browsers lay it out; the text is fitted to the box in any case. */
const CHARACTER = 6.6
const PADDING = 10

const COLORS = { complete: '#217334', partial: '#5a6472', violated: '#a93503' } as const

/**
 * A badge as a standalone SVG: a name and a statement beside it. It says the same in its title, has no script, no link and loads nothing, and its
 * colors have a contrast of 4.5 or more on white letters.
 */
export function renderBadge(name: string, statement: string, tone: keyof typeof COLORS): string {
  const left = Math.round([...name].length * CHARACTER + 2 * PADDING)
  const right = Math.round([...statement].length * CHARACTER + 2 * PADDING)
  const label = escapeHtml(`${name}: ${statement}`)
  const text = (at: number, width: number, words: string) =>
    `<text x="${at + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeHtml(words)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" viewBox="0 0 ${left + right} 20" role="img" aria-label="${label}"><title>${label}</title><rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${right}" height="20" fill="${COLORS[tone]}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(0, left, name)}${text(left, right, statement)}</g></svg>`
}
