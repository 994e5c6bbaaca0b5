import type { FoldedGraph } from './fold.ts'

/** A graph for Graphviz: dashed for imports of types alone, red for imports that violate a rule. */
export function renderDot({ nodes, edges }: FoldedGraph): string {
  const lines = nodes.map((name, index) => `  n${index} [label=${quote(name)}];`)
  const arrows = edges.map(({ from, to, imports, typeOnly, violations }) => {
    const attributes = [
      imports > 1 && `label="${imports}"`,
      typeOnly && 'style=dashed',
      violations > 0 && 'color="#cc0000"',
    ].filter(Boolean)
    return `  n${from} -> n${to}${attributes.length > 0 ? ` [${attributes.join(', ')}]` : ''};`
  })
  return `digraph imports {\n  rankdir=LR;\n  node [shape=box, fontname="sans-serif"];\n${[...lines, ...arrows].join('\n')}\n}\n`
}

function quote(text: string): string {
  return `"${text.replace(/[\p{Cc}\p{Cf}]/gu, '?').replace(/["\\]/g, '\\$&')}"`
}
