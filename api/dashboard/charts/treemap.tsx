import type { Severity } from '../format.ts'
import { squarify, type Tile } from './squarify.ts'
import { useWidth } from './width.ts'

/** A tile of the map, and what lies in it. */
export interface Area {
  key: string
  name: string
  /** What it is in words: its name to who does not see it, and what is shown where a pointer rests. */
  label: string
  size: number
  worst?: Severity
  href: string
  inner: readonly { key: string; name: string; label: string; size: number; worst?: Severity }[]
}

/** The height of a tile's title. */
const TITLE = 20
/** The least size in pixels of a tile that is drawn with what is in it. */
const ROOM = 34
/** The width of a letter, about. */
const LETTER = 6.8

/** Areas by size, in the color of the worst finding; each leads on. What is in an area is drawn within it. */
export function Treemap({ areas, label }: { areas: readonly Area[]; label: string }) {
  const [box, width] = useWidth()
  const height = Math.round(Math.min(460, Math.max(280, width * 0.46)))
  const tiles = squarify(areas, ({ size }) => size, { x: 0, y: 0, width, height })
  return (
    <div class="treemap" ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={label}>
        {tiles.map(tile => (
          <Drawn key={tile.item.key} {...tile} />
        ))}
      </svg>
    </div>
  )
}

function Drawn({ item, x, y, width, height }: Tile<Area>) {
  const [wide, tall] = [Math.max(0, width - 3), Math.max(0, height - 3)]
  const inner =
    item.inner.length > 0 && wide > ROOM && tall > TITLE + ROOM
      ? squarify(item.inner, ({ size }) => size, { x: x + 3, y: y + TITLE, width: wide - 6, height: tall - TITLE - 3 })
      : []
  return (
    <a href={item.href} aria-label={item.label} class={`tile ${item.worst ?? 'none'}`}>
      <title>{item.label}</title>
      <rect x={x} y={y} width={wide} height={tall} rx={4} class={inner.length > 0 ? 'outer' : 'whole'} />
      {inner.map(({ item: part, ...at }) => (
        <rect
          key={part.key}
          class={`whole ${part.worst ?? 'none'}`}
          x={at.x}
          y={at.y}
          width={Math.max(0.5, at.width - 1.5)}
          height={Math.max(0.5, at.height - 1.5)}
          rx={2}
        >
          <title>{part.label}</title>
        </rect>
      ))}
      {inner.map(({ item: part, ...at }) => (
        <Title key={part.key} name={part.name} {...at} class="minor" />
      ))}
      <Title name={item.name} x={x} y={y} width={wide} height={tall} />
    </a>
  )
}

/** A name where there is room for at least a few letters of it. */
function Title({
  name,
  x,
  y,
  width,
  height,
  class: kind,
}: {
  name: string
  x: number
  y: number
  width: number
  height: number
  class?: string
}) {
  const letters = Math.floor((width - 10) / LETTER)
  if (letters < 4 || height < TITLE - 3) return null
  return (
    <text x={x + 6} y={y + 14} class={kind}>
      {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
    </text>
  )
}
