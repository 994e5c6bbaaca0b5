import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The width of a box in pixels, so that what is drawn in it keeps the size of its words. */
export function useWidth(initially = 900): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(initially)
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.max(200, Math.floor(box.current!.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  return [box, width]
}
