import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeTemporary } from '../base/disk/own-folder.ts'
import { encodeMetric, METRIC_NAMES } from '../base/records/file-metrics.ts'
import type { ReleaseFacts } from '../detect/rules/release-facts.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import { countColumnBytes, makeColumns, mapNamed, NAMED, NUMBER_BYTES } from './cache-columns.ts'
import {
  computeDigest,
  type Extra,
  FORMAT,
  type Header,
  hasReleasesOnly,
  type Kept,
  type Origin,
  PURPOSE,
} from './cache-table.ts'
import { encodeReleases } from './releases/release-table.ts'

/** A cache file past this is not written: it would cost more to read than it saves. */
const MOST_BYTES = 512 << 20
/** Writing takes seconds; a temporary file that nobody has written to for this long belongs to a process that was killed. */
const ABANDONED_AFTER_MS = 300_000

/**
 * Writes the rows, in any order, by way of a temporary name, and answers the digest that the table then has. The rows are sorted
 * in place, as they then stand. A file of more than `mostBytes` is not written. Throws what the disk refuses with.
 */
export function writeCacheFile(
  file: string,
  { program, limits }: Origin,
  rows: Kept[],
  seal: Seal,
  mostBytes = MOST_BYTES,
): string | undefined {
  rows.sort((a, b) => (a.path < b.path ? -1 : 1))
  const numbers = new ArrayBuffer(countColumnBytes(rows.length))
  const columns = makeColumns(numbers, rows.length)
  const names = mapNamed(() => new Map<string, number>())
  const extras: [number, Extra][] = []
  const releases: [number, ReleaseFacts][] = []
  let end = 0
  rows.forEach((row, index) => {
    columns.sizes[index] = row.size
    columns.inTest[index] = row.in_test ? 1 : 0
    end += Buffer.byteLength(row.path)
    columns.pathEnds[index] = end++
    for (const name of METRIC_NAMES) columns.counts[name][index] = encodeMetric(row[name])
    for (const name of NAMED) {
      let number = names[name].get(row[name])
      if (number === undefined) {
        number = names[name].size
        names[name].set(row[name], number)
      }
      columns.named[name][index] = number
    }
    if (row.extra && hasReleasesOnly(row.extra)) releases.push([index, row.extra.releases!])
    else if (row.extra) extras.push([index, row.extra])
  })
  const oid_width = rows.reduce((most, { oid }) => Math.max(most, oid.length), 0)
  const texts = [
    rows.map(({ path }) => `${path}\0`).join(''),
    rows.map(({ oid }) => oid.padEnd(oid_width)).join(''),
    JSON.stringify(extras),
    encodeReleases(releases),
  ].map(text => Buffer.from(text))
  const header: Header = {
    format: FORMAT,
    program,
    limits,
    count: rows.length,
    oid_width,
    names: mapNamed(name => [...names[name].keys()]),
    texts: texts.map(({ length }) => length) as Header['texts'],
  }
  const body = Buffer.concat([encodeHeader(header), Buffer.from(numbers), ...texts])
  if (body.length > mostBytes) return undefined
  const digest = computeDigest(body)
  const named = digest.toString('hex')
  writeBeside(file, Buffer.concat([body, digest, Buffer.from(seal.sign(PURPOSE, named), 'latin1')]))
  return named
}

/** The header's line, filled up with spaces so that the numbers behind it stand where their columns can be read in place. */
function encodeHeader(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const length = Math.ceil((text.length + 1) / NUMBER_BYTES) * NUMBER_BYTES
  return Buffer.concat([text, Buffer.from('\n'.padStart(length - text.length))])
}

/** Writes a file of the cache by way of a temporary name. Throws what the disk refuses with. */
export function writeBeside(file: string, bytes: Uint8Array | string): void {
  const temporary = `${file}.${process.pid}`
  removeAbandoned(file)
  try {
    writeTemporary(temporary, bytes)
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Removes what killed processes have left of their writing. One that is only slow loses nothing but the cache of its scan. */
export function removeAbandoned(file: string): void {
  const begin = `${basename(file)}.`
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(begin) || !/^\d+$/.test(name.slice(begin.length))) continue
    const path = join(dirname(file), name)
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Math.abs(Date.now() - written) > ABANDONED_AFTER_MS) rmSync(path, { force: true })
  }
}
