import { measure, splitText } from './size.ts'

/** Bytes below which a part is not cut further, whatever surrounds it: long keys must not leave no room for values. */
const SMALLEST = 256
/** The share of a page that an object's short fields may take, which each page of it repeats. */
const HEAD_SHARE = 1 / 4

/** The share of a page below which what is left of it is not worth a part of the next field. */
const LEFT_SHARE = 1 / 8

/**
 * A value in parts of at most this many bytes of JSON, which together hold all of it in its order; the first part has at most `first`, where
 * something of the value fits into that. Parts keep the value's shape: those of an array are arrays of consecutive elements; those of a string
 * are strings; those of an object repeat its short fields, and each has what comes next of its long ones. A key longer than a page is the one
 * thing that can make a part larger.
 */
export function splitValue(value: unknown, bytes: number, first = bytes): unknown[] {
  const limit = Math.max(bytes, SMALLEST)
  const size = measure(value)
  if (size <= Math.max(first, SMALLEST)) return [value]
  const continues = typeof value === 'string' || Array.isArray(value)
  // A list goes on from page to page; an object that fits on the next page stays in one piece.
  if (!continues && size <= limit) return [value]
  const start = first >= limit * LEFT_SHARE ? Math.max(first, SMALLEST) : limit
  if (typeof value === 'string') return splitText(value, limit, { first: start })
  if (Array.isArray(value)) return splitArray(value, limit, start)
  if (typeof value === 'object' && value !== null) return splitObject(value as Record<string, unknown>, limit, start)
  return [value]
}

function splitArray(elements: readonly unknown[], limit: number, first: number): unknown[][] {
  const pages: unknown[][] = []
  let page: unknown[] = []
  let used = 2
  let room = first
  for (const part of elements.flatMap(element => splitValue(element, limit - 2))) {
    const cost = measure(part) + 1
    if (used + cost > room) {
      if (page.length > 0) pages.push(page)
      page = []
      used = 2
      room = limit
    }
    page.push(part)
    used += cost
  }
  pages.push(page)
  return pages
}

function splitObject(object: Record<string, unknown>, limit: number, first: number): Record<string, unknown>[] {
  const { head, used: headUsed } = takeHead(object, limit * HEAD_SHARE)
  const pages: Record<string, unknown>[] = []
  let page = new Map(head)
  let used = headUsed
  let room = first
  for (const [key, value] of Object.entries(object)) {
    if (head.has(key)) continue
    const keyCost = measure(key) + 2
    const whole = limit - headUsed - keyCost
    for (const part of splitValue(value, whole, Math.min(whole, room - used - keyCost))) {
      const cost = keyCost + measure(part)
      // Two parts of one field are of two pages.
      if (page.size > head.size && (used + cost > room || page.has(key))) {
        pages.push(Object.fromEntries(page))
        page = new Map(head)
        used = headUsed
        room = limit
      }
      page.set(key, part)
      used += cost
    }
  }
  pages.push(Object.fromEntries(page))
  return pages
}

/** The fields that are no list, no object and no long text, as many as the room takes. */
function takeHead(object: Record<string, unknown>, room: number): { head: Map<string, unknown>; used: number } {
  const head = new Map<string, unknown>()
  let used = 2
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === 'object' && value !== null) continue
    const cost = measure(key) + 2 + measure(value)
    if (value === undefined || used + cost > room) continue
    head.set(key, value)
    used += cost
  }
  return { head, used }
}
