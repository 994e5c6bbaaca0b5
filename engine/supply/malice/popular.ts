import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import type { Ecosystem } from '../inventory/component.ts'
import { normalizeName } from '../inventory/ecosystems.ts'

/** Names that are imitated: the most downloaded of an ecosystem. */
const MOST_IMITATED = 2000
/** Shorter names have too many neighbors that mean something else. */
const LEAST_LENGTH = 5

interface Popular {
  known: ReadonlySet<string>
  /** Imitated names by each text that is left when one of their characters is deleted, and by themselves. */
  near: ReadonlyMap<string, readonly string[]>
}

let lists: Record<string, string[]> | undefined
const loaded = new Map<Ecosystem, Popular>()

/** The most downloaded packages, a compressed file beside the program. */
function load(ecosystem: Ecosystem): Popular | undefined {
  const before = loaded.get(ecosystem)
  if (before) return before
  lists ??= (
    JSON.parse(
      brotliDecompressSync(readFileSync(new URL('./popular-packages.br', import.meta.url))).toString('utf8'),
    ) as { names: Record<string, string[]> }
  ).names
  const names = lists[ecosystem]?.map(name => normalizeName(ecosystem, name))
  if (names === undefined) return undefined
  const near = new Map<string, string[]>()
  for (const name of names.slice(0, MOST_IMITATED))
    if (name.length >= LEAST_LENGTH)
      for (const left of listDeletions(name)) near.set(left, [...(near.get(left) ?? []), name])
  const popular = { known: new Set(names), near }
  loaded.set(ecosystem, popular)
  return popular
}

function listDeletions(name: string): string[] {
  return [name, ...Array.from(name, (_, i) => name.slice(0, i) + name.slice(i + 1))]
}

/**
 * The popular package whose name differs in one character (one more, one less, another, or two that are swapped); undefined where there is none, or
 * where the name is itself well known. Numbers are no typing mistake: `base32` is not meant as `base64`.
 */
export function findImitated(ecosystem: Ecosystem, name: string): string | undefined {
  const own = normalizeName(ecosystem, name)
  if (own.length < LEAST_LENGTH) return undefined
  const popular = load(ecosystem)
  if (popular === undefined || popular.known.has(own)) return undefined
  for (const left of listDeletions(own))
    for (const candidate of popular.near.get(left) ?? []) if (isOneEditAway(own, candidate)) return candidate
  return undefined
}

/** Whether two names differ by one typing mistake: a character more, less or another, or two swapped. Digits are none. */
export function isOneEditAway(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (/\d/.test(x + y)) return false
  if (x.length + y.length === 1 || (x.length === 1 && y.length === 1)) return true
  return x.length === 2 && y.length === 2 && x[0] === y[1] && x[1] === y[0]
}
