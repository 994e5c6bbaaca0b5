import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A record as it lies in a database folder. */
export interface RawRecord {
  /** The file, with the entry of an archive or the line, for messages. */
  place: string
  text: string
}

/** An advisory is a few kilobytes; what is larger than this is no advisory. */
const MOST_BYTES = 32 * 1024 * 1024

/** The files of a database folder, sorted: archives, JSON and JSON lines, in any depth. Symbolic links are not followed. */
export async function listDatabaseFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const walk = async (path: string, prefix: string) => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) await walk(join(path, entry.name), `${prefix}${entry.name}/`)
      else if (entry.isFile() && /\.(zip|jsonl|ndjson|json|csv|csv\.gz)$/i.test(entry.name))
        found.push(prefix + entry.name)
    }
  }
  await walk(folder, '')
  return found.sort()
}

/** The records of one file: each entry of an archive, each line of JSON lines, a JSON file as a whole. */
export async function* readRecords(folder: string, file: string): AsyncGenerator<RawRecord> {
  const path = join(folder, file)
  if (/\.zip$/i.test(file)) yield* readArchive(path, file)
  else if (/\.(jsonl|ndjson)$/i.test(file)) yield* readLines(path, file)
  else if ((await stat(path)).size <= MOST_BYTES) yield { place: file, text: await readFile(path, 'utf8') }
  else yield { place: file, text: '' }
}

async function* readLines(path: string, file: string): AsyncGenerator<RawRecord> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line++
    if (text.trim() !== '') yield { place: `${file}:${line}`, text }
  }
}

async function* readArchive(path: string, file: string): AsyncGenerator<RawRecord> {
  const { openPromise } = await import('yauzl')
  const archive = await openPromise(path)
  for await (const entry of archive.eachEntry()) {
    if (!entry.fileName.endsWith('.json')) continue
    const isLarge = entry.uncompressedSize > MOST_BYTES
    const text = isLarge ? '' : await readText(await archive.openReadStreamPromise(entry))
    yield { place: `${file}!${entry.fileName}`, text }
  }
}

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
