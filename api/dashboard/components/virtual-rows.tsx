import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows that are drawn beyond what is seen, above and below. */
const BEYOND = 12

/**
 * A list of which only what is seen is drawn: 100,000 rows cost what forty do. Every row has the same height in pixels. `onSeen` is told of the rows that
 * are seen; the row `current` is kept in view.
 */
export function VirtualRows({
  total,
  height,
  current,
  label,
  onSeen,
  children,
}: {
  total: number
  height: number
  current: number | undefined
  label: string
  onSeen(first: number, last: number): void
  /** Draws the row at a place. */
  children(at: number): ComponentChildren
}) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [room, setRoom] = useState(800)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setRoom(box.current!.clientHeight))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (current === undefined) return
    const above = current * height
    const { scrollTop, clientHeight } = box.current!
    if (above < scrollTop) box.current!.scrollTop = above
    else if (above + height > scrollTop + clientHeight) box.current!.scrollTop = above + height - clientHeight
  }, [current, height])
  const first = Math.max(0, Math.floor(top / height) - BEYOND)
  const last = Math.min(total, Math.ceil((top + room) / height) + BEYOND)
  useEffect(() => onSeen(first, last), [first, last, total])
  const rows = []
  for (let at = first; at < last; at++)
    rows.push(
      <li
        key={at}
        style={{ top: `${at * height}px`, height: `${height}px` }}
        aria-setsize={total}
        aria-posinset={at + 1}
      >
        {children(at)}
      </li>,
    )
  return (
    <div class="virtual" ref={box} onScroll={() => setTop(box.current!.scrollTop)}>
      <ul aria-label={label} style={{ height: `${total * height}px` }}>
        {rows}
      </ul>
    </div>
  )
}
