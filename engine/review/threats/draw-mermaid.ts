import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { type DataFlowModel, type ModelElement, ZONES } from './model.ts'

/** The shapes of a data-flow diagram in Mermaid, around the label. */
const SHAPES: Record<ModelElement['kind'], readonly [string, string]> = {
  actor: ['[/', '/]'],
  process: ['((', '))'],
  store: ['[(', ')]'],
  queue: ['>', ']'],
  service: ['[', ']'],
}

/** The model as a Mermaid flowchart: trust zones are subgraphs. Names of the repository cannot break out of their labels. */
export function drawMermaid({ elements, flows, zones }: DataFlowModel): string {
  const names = new Map(elements.map(({ id }, index) => [id, `n${index}`]))
  const rows = ['flowchart LR']
  for (const zone of zones) {
    rows.push(`  subgraph zone_${zone}["${ZONES[zone]}"]`)
    for (const { id, kind, name, zone: own, entry_points } of elements) {
      if (own !== zone) continue
      const [open, close] = SHAPES[kind]
      const count = entry_points.length > 0 ? ` (${entry_points.length} entry points)` : ''
      rows.push(`    ${names.get(id)}${open}"${label(name + count)}"${close}`)
    }
    rows.push('  end')
  }
  for (const { from, to, label: text, crosses } of flows) {
    if (!names.has(from) || !names.has(to)) continue
    rows.push(`  ${names.get(from)} ${crosses ? '==>' : '-->'}|"${label(text)}"| ${names.get(to)}`)
  }
  return `${rows.join('\n')}\n`
}

/** Mermaid reads entities in labels; quotes, brackets and line ends would end them. */
function label(text: string): string {
  return escapeInvisibleLine(text)
    .slice(0, 120)
    .replace(/[^\p{L}\p{N} .,/_()→-]/gu, mark => `#${mark.codePointAt(0)};`)
}
