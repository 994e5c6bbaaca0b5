/** A rectangle of a treemap. */
export interface Tile<T> {
  item: T
  x: number
  y: number
  width: number
  height: number
}

/**
 * Rectangles whose areas are as the sizes of the items, as near to squares as rows allow (Bruls, Huizing, van Wijk 2000). Items come from the
 * greatest; those of no size get no rectangle. Linear in the items after the sort.
 */
export function squarify<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  box: { x: number; y: number; width: number; height: number },
): Tile<T>[] {
  const sized = items.filter(item => sizeOf(item) > 0).sort((a, b) => sizeOf(b) - sizeOf(a))
  const total = sized.reduce((sum, item) => sum + sizeOf(item), 0)
  const scale = total > 0 ? (box.width * box.height) / total : 0
  const tiles: Tile<T>[] = []
  let { x, y, width, height } = box
  for (let first = 0; first < sized.length; ) {
    const side = Math.min(width, height)
    let area = 0
    let last = first
    let ratio = Number.POSITIVE_INFINITY
    while (last < sized.length) {
      const grown = area + sizeOf(sized[last]!) * scale
      const next = worstRatio(grown, side, sizeOf(sized[first]!) * scale, sizeOf(sized[last]!) * scale)
      if (next > ratio) break
      ratio = next
      area = grown
      last++
    }
    const thick = side > 0 ? area / side : 0
    let along = 0
    for (const item of sized.slice(first, last)) {
      const long = thick > 0 ? (sizeOf(item) * scale) / thick : 0
      tiles.push(
        width >= height
          ? { item, x, y: y + along, width: thick, height: long }
          : { item, x: x + along, y, width: long, height: thick },
      )
      along += long
    }
    if (width >= height) {
      x += thick
      width = Math.max(0, width - thick)
    } else {
      y += thick
      height = Math.max(0, height - thick)
    }
    first = last
  }
  return tiles
}

/** The longest side over the shortest of a row's rectangles, of which the first is the greatest and the last the least. */
function worstRatio(area: number, side: number, greatest: number, least: number): number {
  return Math.max((side * side * greatest) / (area * area), (area * area) / (side * side * least))
}
