import type { FoldedGraph } from './fold.ts'

/** A Mermaid flowchart: dotted for imports of types alone, red for imports that violate a rule. */
export function renderMermaid({ nodes, edges }: FoldedGraph): string {
  const lines = nodes.map((name, index) => `  n${index}["${escapeLabel(name)}"]`)
  const arrows = edges.map(({ from, to, imports, typeOnly, violations }) => {
    const arrow = typeOnly ? '-.->' : '-->'
    const label = violations > 0 ? `${imports}, ${violations} violating` : imports > 1 ? String(imports) : ''
    return `  n${from} ${arrow}${label === '' ? '' : `|${label}|`} n${to}`
  })
  const bad = edges.flatMap(({ violations }, index) => (violations > 0 ? [index] : []))
  const styles = bad.length > 0 ? [`  linkStyle ${bad.join(',')} stroke:#c00,stroke-width:2px`] : []
  return `${['flowchart LR', ...lines, ...arrows, ...styles].join('\n')}\n`
}

function escapeLabel(text: string): string {
  return text.replace(/[&"<>#]/g, character => `#${character.charCodeAt(0)};`).replace(/[\p{Cc}\p{Cf}]/gu, '?')
}
