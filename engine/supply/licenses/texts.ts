import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { splitWords, type Words } from './words.ts'

let texts: Map<string, { name: string; text: string }> | undefined

/** Names and texts of the licenses on SPDX's list, by id; a compressed file beside the program, read on first use. */
export function loadLicenseTexts(): ReadonlyMap<string, { name: string; text: string }> {
  if (!texts) {
    const packed = readFileSync(new URL('./license-texts.gen.br', import.meta.url))
    const parsed = JSON.parse(brotliDecompressSync(packed).toString('utf8')) as Record<string, [string, string]>
    texts = new Map(Object.entries(parsed).map(([id, [name, text]]) => [id, { name, text }]))
  }
  return texts
}

/** Where a text stands in another. */
export interface TextMatch {
  /** The ids of licenses with the same text; the first is the one that is meant where nothing else says. */
  ids: string[]
  /** The share of the license's word triples that is there, from 0 to 1. */
  containment: number
  /** The first word, and the one after the last. */
  start: number
  end: number
}

/** The license texts in a text, and which of its words are a part of one (1). */
export interface TextMatches {
  matches: TextMatch[]
  covered: Uint8Array
}

/** A match with what it is chosen by. */
interface Span extends TextMatch {
  license: number
  score: number
}

interface License {
  ids: string[]
  /** Words of the text. */
  length: number
  /** Different triples of words. */
  size: number
}

interface TextIndex {
  licenses: License[]
  /** Licenses that have a triple, by its hash. */
  grams: Map<number, number[]>
}

let index: TextIndex | undefined

/** Texts with fewer words say too little to be told by. */
const LEAST_WORDS = 8
/** The share of a license that must be there; of a short one, where each word counts, more. */
const LEAST = 0.8
const LEAST_SHORT = 0.9
const SHORT = 60
const MOST_CANDIDATES = 80
/** The weight of a triple that is missing against one that is there. */
const MISSING = 1.5

function loadIndex(): TextIndex {
  if (index) return index
  const byWords = new Map<string, { ids: string[]; words: string[] }>()
  for (const [id, { text }] of loadLicenseTexts())
    for (const variant of [text, ...listVariants(id, text)]) {
      const { words } = splitWords(variant)
      if (words.length < LEAST_WORDS) continue
      const key = words.join(' ')
      const same = byWords.get(key)
      if (same) same.ids.push(id)
      else byWords.set(key, { ids: [id], words })
    }
  const licenses: License[] = []
  const grams = new Map<number, number[]>()
  for (const { ids, words } of byWords.values()) {
    const own = new Set(hashTriples(words))
    for (const gram of own) {
      const list = grams.get(gram)
      if (list) list.push(licenses.length)
      else grams.set(gram, [licenses.length])
    }
    licenses.push({ ids: ids.sort(compareIds), length: words.length, size: own.size })
  }
  index = { licenses, grams }
  return index
}

/** Other wordings that SPDX's templates let stand for the same license: who must not be named, and who disclaims. */
function listVariants(id: string, text: string): string[] {
  if (id === 'ISC') return [text.replace(/THE AUTHOR DISCLAIMS/, 'ISC DISCLAIMS').replace(/THE AUTHOR BE/, 'ISC BE')]
  if (!/^BSD-[234]-Clause$/.test(id)) return []
  const disclaimed = text
    .replace(/(?:THE )?COPYRIGHT HOLDERS? AND CONTRIBUTORS/i, 'THE AUTHOR')
    .replace(/COPYRIGHT (?:HOLDER|OWNER)S? OR\s+CONTRIBUTORS/i, 'AUTHOR')
  const named = (of: string) =>
    of.replace(/Neither the name of[^.]*may be used/i, 'The name of the author may not be used')
  return [...new Set([disclaimed, named(text), named(disclaimed)])].filter(variant => variant !== text)
}

/** Licenses that most software has: of two that fit equally well, one of them is meant. */
const COMMON = /^(?:MIT|ISC|Apache-2\.0|BSD-[234]-Clause|(?:A|L)?GPL-.*|MPL-2\.0|Zlib|BSL-1\.0|HPND|X11)$/
const COMMON_WEIGHT = 1.04

/** `-only` before `-or-later`: a text says nothing of later versions. Then the shorter id. */
function compareIds(a: string, b: string): number {
  const rate = (id: string) => (id.endsWith('-only') ? 0 : /-or-later$|invariants/.test(id) ? 2 : 1)
  return rate(a) - rate(b) || a.length - b.length || (a < b ? -1 : 1)
}

/** A hash of each three words that follow each other. */
function hashTriples(words: readonly string[]): Int32Array {
  const hashes = new Int32Array(Math.max(words.length - 2, 0))
  const single = words.map(hashWord)
  for (let i = 0; i < hashes.length; i++)
    hashes[i] = Math.imul(Math.imul(single[i]! ^ 0x9e3779b9, 31) + single[i + 1]!, 1_000_003) ^ single[i + 2]!
  return hashes
}

function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash | 0
}

/**
 * The license texts in a text, in its order. Each place counts once: of licenses that share it, the one of which most is there and least is
 * missing. Time grows with the text's length and the number of licenses that resemble it, of which the nearest 80 are compared.
 */
export function matchTexts({ words }: Words): TextMatches {
  const covered = new Uint8Array(words.length)
  if (words.length < LEAST_WORDS) return { matches: [], covered }
  const { licenses, grams } = loadIndex()
  const hashes = hashTriples(words)
  const counts = new Map<number, number>()
  for (const hash of new Set(hashes))
    for (const license of grams.get(hash) ?? []) counts.set(license, (counts.get(license) ?? 0) + 1)
  const candidates = [...counts]
    .filter(([license, count]) => count >= leastOf(licenses[license]!) * licenses[license]!.size)
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, MOST_CANDIDATES)
    .map(([license]) => license)
  const found = candidates.flatMap(license => findSpans(license, hashes, licenses[license]!, grams))
  found.sort((a, b) => b.score - a.score || a.start - b.start || compareIds(a.ids[0]!, b.ids[0]!))
  const chosen: typeof found = []
  for (const one of found) if (!chosen.some(other => overlap(one, other) > 0.2)) chosen.push(one)
  chosen.sort((a, b) => a.start - b.start)
  for (const { license, start, end } of chosen)
    cover(covered, hashes, start, end, hash => grams.get(hash)?.includes(license) ?? false)
  return { matches: chosen.map(({ score: _, license: __, ...match }) => match), covered }
}

/** What stands in a license and is longer is no part of it: "alternatively, under the terms of …". */
const MOST_GAP = 6

function cover(
  covered: Uint8Array,
  hashes: Int32Array,
  start: number,
  end: number,
  isPart: (hash: number) => boolean,
): void {
  let last = start
  for (let i = start; i + 3 <= end; i++) {
    if (!isPart(hashes[i]!)) continue
    covered.fill(1, i - last <= MOST_GAP ? last : i, i + 3)
    last = i + 3
  }
}

function leastOf({ length }: License): number {
  return length < SHORT ? LEAST_SHORT : LEAST
}

function overlap(a: TextMatch, b: TextMatch): number {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return shared <= 0 ? 0 : shared / Math.min(a.end - a.start, b.end - b.start)
}

/** The places where a license stands: windows a little longer than its text that have enough of its triples. */
function findSpans(
  license: number,
  hashes: Int32Array,
  { ids, length, size }: License,
  grams: ReadonlyMap<number, number[]>,
): Span[] {
  const hits: number[] = []
  for (let i = 0; i < hashes.length; i++) if (grams.get(hashes[i]!)?.includes(license)) hits.push(i)
  const width = Math.ceil(length * 1.3) + 20
  const spans: Span[] = []
  const inWindow = new Map<number, number>()
  let best: { from: number; to: number; distinct: number } | undefined
  let first = 0
  for (let last = 0; last < hits.length; last++) {
    const added = hashes[hits[last]!]!
    inWindow.set(added, (inWindow.get(added) ?? 0) + 1)
    while (hits[last]! - hits[first]! > width) {
      const gone = hashes[hits[first]!]!
      const left = inWindow.get(gone)! - 1
      if (left === 0) inWindow.delete(gone)
      else inWindow.set(gone, left)
      first++
    }
    const distinct = inWindow.size
    if (best && hits[first]! > best.to) {
      spans.push(makeSpan(best, license, ids, size))
      best = undefined
    }
    if (distinct >= size * (length < SHORT ? LEAST_SHORT : LEAST) && (!best || distinct > best.distinct))
      best = { from: hits[first]!, to: hits[last]!, distinct }
  }
  if (best) spans.push(makeSpan(best, license, ids, size))
  return spans
}

function makeSpan(
  { from, to, distinct }: { from: number; to: number; distinct: number },
  license: number,
  ids: string[],
  size: number,
): Span {
  const score = (distinct - MISSING * (size - distinct)) * (COMMON.test(ids[0]!) ? COMMON_WEIGHT : 1)
  return { ids, license, containment: distinct / size, start: from, end: to + 3, score }
}
