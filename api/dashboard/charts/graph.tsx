import { useState } from 'preact/hooks'
import { counted } from '../format.ts'
import { type Link, layerNodes } from './layers.ts'
import { useWidth } from './width.ts'

/** An edge of the graph, with how many imports it stands for. */
export interface GraphEdge extends Link {
  imports: number
  violations: number
}

const NODE_HEIGHT = 28
const LAYER = 84
const GAP = 14
const LETTER = 7
const LEAST = 70

/** A graph in layers: what is above imports what is below. Edges that violate a rule are marked; a node that is looked at shows its own edges. */
export function Graph({
  nodes,
  edges,
  label,
}: {
  nodes: readonly string[]
  edges: readonly GraphEdge[]
  label: string
}) {
  const [box, room] = useWidth()
  const [looked, setLooked] = useState<number>()
  const rows = wrap(layerNodes(nodes.length, edges), nodes, room)
  const width = room
  const height = rows.length * LAYER - LAYER + NODE_HEIGHT + 24
  const at = new Map<number, { x: number; y: number; width: number }>()
  for (const [row, list] of rows.entries()) {
    const wide = list.reduce((sum, node) => sum + widthOf(nodes[node]!, room) + GAP, -GAP)
    let x = (width - wide) / 2
    for (const node of list) {
      at.set(node, { x, y: 12 + row * LAYER, width: widthOf(nodes[node]!, room) })
      x += widthOf(nodes[node]!, room) + GAP
    }
  }
  return (
    <div class="graph" ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {edges.map(({ from, to, imports, violations }) => (
          <path
            key={`${from} ${to}`}
            class={`edge${violations > 0 ? ' violated' : ''}${looked === undefined ? '' : looked === from || looked === to ? ' looked' : ' aside'}`}
            d={draw(at.get(from)!, at.get(to)!)}
            stroke-width={Math.min(4, 1 + Math.log10(imports))}
          >
            <title>{`${nodes[from]} imports ${nodes[to]}: ${counted(imports, 'import')}`}</title>
          </path>
        ))}
        {[...at].map(([node, place]) => (
          <g key={node} class="node" onPointerEnter={() => setLooked(node)} onPointerLeave={() => setLooked(undefined)}>
            <title>{nodes[node]}</title>
            <rect x={place.x} y={place.y} width={place.width} height={NODE_HEIGHT} rx={6} />
            <text x={place.x + place.width / 2} y={place.y + 18} text-anchor="middle">
              {shorten(nodes[node]!, Math.floor((place.width - 14) / LETTER))}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

/** Layers that are wider than the page go on in a further row. */
function wrap(layers: readonly number[][], nodes: readonly string[], room: number): number[][] {
  return layers.flatMap(layer => {
    const rows: number[][] = [[]]
    let used = 0
    for (const node of layer) {
      const wide = widthOf(nodes[node]!, room) + GAP
      if (used + wide - GAP > room && rows.at(-1)!.length > 0) {
        rows.push([])
        used = 0
      }
      rows.at(-1)!.push(node)
      used += wide
    }
    return rows
  })
}

function widthOf(name: string, room: number): number {
  return Math.min(room < 500 ? 150 : 220, Math.max(LEAST, name.length * LETTER + 18))
}

/** The end of a path says more than its beginning. */
function shorten(name: string, letters: number): string {
  return name.length > letters ? `…${name.slice(1 - letters)}` : name
}

function draw(from: { x: number; y: number; width: number }, to: { x: number; y: number; width: number }): string {
  const isDown = to.y > from.y
  const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2]
  const [y1, y2] = isDown ? [from.y + NODE_HEIGHT, to.y] : [from.y, to.y + NODE_HEIGHT]
  const bend = from.y === to.y ? -40 : (y2 - y1) / 2
  return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - (from.y === to.y ? -bend : bend)} ${x2} ${y2}`
}
