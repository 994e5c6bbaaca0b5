import type { GraphFormat } from '../formats.ts'
import type { ImportGraph } from '../graph.ts'
import type { Violation } from '../violation.ts'
import { renderDot } from './dot.ts'
import { foldGraph } from './fold.ts'
import { renderPage } from './html.ts'
import { renderJson } from './json.ts'
import { renderMermaid } from './mermaid.ts'

/** Nodes in a picture: more are folded into their directories. */
const MOST_NODES = 60

/** The graph in a format. Mermaid and DOT show files, or directories where the files are too many to be seen. */
export function renderGraph(graph: ImportGraph, violations: readonly Violation[], format: GraphFormat): string {
  if (format === 'json') return renderJson(graph, violations)
  if (format === 'html') return renderPage(graph, violations)
  const folded = foldGraph(graph, violations, MOST_NODES)
  return format === 'dot' ? renderDot(folded) : renderMermaid(folded)
}
