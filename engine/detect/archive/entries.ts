import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ArchiveKind, detectArchiveKind } from './kind.ts'

/** What an archive may cost. */
export interface Bounds {
  /** Files in it that are looked at. */
  entries: number
  /** Bytes that all of them come to. */
  bytes: number
  /** Bytes of one of them. */
  entry_bytes: number
  /** Times its packed size that a file of a mebibyte or more may come to. */
  ratio: number
  /** Milliseconds. */
  time_ms: number
}

export interface Entry {
  /** Path in the archive, forward slashes. */
  path: string
  bytes: Uint8Array
}

/** What was not looked at. */
export interface Left {
  /** Why the archive was not read to its end, for a person; left out where it was. */
  stopped?: string
  /** It was for the time that it took, so that another time more may be read. */
  late?: boolean
  /** Files larger than `entry_bytes`. */
  large: number
  /** Archives within it. */
  nested: number
  encrypted: number
}

/** A bound was passed. */
class Stopped extends Error {
  readonly late: boolean

  constructor(message: string, late = false) {
    super(message)
    this.late = late
  }
}

/** Files whose content is never text; unpacking them would tell no more. */
const BINARY =
  /\.(?:class|png|jpe?g|gif|ico|webp|bmp|tiff?|woff2?|ttf|otf|eot|so|dylib|dll|exe|lib|o|a|pyc|pyo|pdf|mp[34]|wav|ogg|avi|mov|wasm|dex|arsc|pdb|rsa|dsa)$/i
const RATIO_FROM = 1 << 20

/**
 * Hands each file of an archive to `take`, one after the other, within the bounds; answers what was left out. Rejects where the
 * archive is damaged; what came before the damage was handed over.
 */
export async function readEntries(
  archive: Uint8Array,
  { kind, name }: { kind: ArchiveKind; name: string },
  bounds: Bounds,
  take: (entry: Entry) => void,
): Promise<Left> {
  const left: Left = { large: 0, nested: 0, encrypted: 0 }
  const reading = new Reading(bounds, left, take)
  try {
    if (kind === 'zip') await readZip(archive, reading)
    else if (kind === 'gz') await readGzip(archive, name, reading)
    else await readTar(archive, kind === 'tar.gz', reading)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    left.stopped = error.message
    if (error.late) left.late = true
  }
  return left
}

/** Keeps to the bounds over all files of one archive. */
class Reading {
  readonly bounds: Bounds
  readonly left: Left
  readonly #take: (entry: Entry) => void
  readonly #began = performance.now()
  #entries = 0
  #bytes = 0

  constructor(bounds: Bounds, left: Left, take: (entry: Entry) => void) {
    this.bounds = bounds
    this.left = left
    this.#take = take
  }

  /** Whether the file is to be read; counts it. Throws past a bound. */
  admits(path: string, size: number, packed?: number): boolean {
    const { entries, entry_bytes, ratio } = this.bounds
    if (++this.#entries > entries) throw new Stopped(`more than ${entries} files`)
    this.checkTime()
    if (BINARY.test(path)) return false
    if (detectArchiveKind(path)) {
      this.left.nested++
      return false
    }
    if (packed !== undefined && size > RATIO_FROM && size > packed * ratio)
      throw new Stopped(`a file in it grows to more than ${ratio} times its packed size`)
    if (size > entry_bytes) {
      this.left.large++
      return false
    }
    return true
  }

  /** Counts unpacked bytes, whoever they belong to. Throws past a bound. */
  count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.bounds.bytes) throw new Stopped(`more than ${this.bounds.bytes} bytes unpacked`)
    this.checkTime()
  }

  checkTime(): void {
    if (performance.now() - this.#began > this.bounds.time_ms)
      throw new Stopped(`it timed out after ${this.bounds.time_ms} ms`, true)
  }

  /** The stream's content; undefined where it is larger than one file may be. */
  async whole(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of stream) {
      this.count(chunk.length)
      size += chunk.length
      if (size <= this.bounds.entry_bytes) chunks.push(chunk)
      else chunks.length = 0
    }
    if (size <= this.bounds.entry_bytes) return Buffer.concat(chunks)
    this.left.large++
    return undefined
  }

  give(path: string, bytes: Uint8Array | undefined): void {
    if (bytes) this.#take({ path: labelOf(path), bytes })
  }
}

/** The path as it is shown: it comes from the archive's maker, who may have put anything there. */
function labelOf(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/[\0-\x1f\x7f-\x9f]/g, '\uFFFD')
    .replace(/^(?:\.?\/)+/, '')
    .slice(0, 1000)
}

async function readZip(archive: Uint8Array, reading: Reading): Promise<void> {
  const { fromBufferPromise } = await import('yauzl')
  const buffer = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  // Names are taken as they are: a strange one must not hide the files behind it, and none becomes a path on the disk.
  const zip = await fromBufferPromise(buffer, { decodeStrings: false })
  for await (const entry of zip.eachEntry()) {
    const path = Buffer.from(entry.fileName as unknown as Uint8Array).toString('utf8')
    if (path.endsWith('/') || !reading.admits(path, entry.uncompressedSize, entry.compressedSize)) continue
    if (!entry.canDecodeFileData()) {
      reading.left.encrypted++
      continue
    }
    reading.give(path, await reading.whole(await zip.openReadStreamPromise(entry)))
  }
}

async function readGzip(archive: Uint8Array, name: string, reading: Reading): Promise<void> {
  const path = (name.split('/').at(-1) ?? name).replace(/\.gz$/i, '')
  if (reading.admits(path, 0)) reading.give(path, await reading.whole(unpacked(archive, reading)))
}

async function readTar(archive: Uint8Array, packed: boolean, reading: Reading): Promise<void> {
  const { extract } = await import('tar-stream')
  const tar = extract()
  const source = Readable.from(packed ? unpacked(archive, reading) : [archive])
  source.on('error', error => tar.destroy(error))
  let steps = 0
  const readEntries = async () => {
    for await (const entry of tar) {
      steps++
      const { name, size = 0, type } = entry.header
      if (type === 'file' && reading.admits(name, size))
        reading.give(name, await reading.whole(entry as AsyncIterable<Uint8Array>))
      else
        for await (const chunk of entry as AsyncIterable<Uint8Array>) {
          steps++
          reading.count(chunk.length)
        }
    }
  }
  const stalled = new Promise<never>((_, reject) => {
    source.once('end', () => tellStall(() => (tar.destroyed ? undefined : steps), reject))
  })
  source.pipe(tar)
  try {
    await Promise.race([readEntries(), stalled])
  } finally {
    source.destroy()
    tar.destroy()
  }
}

/** Turns of the event loop in which the reader of a whole tar file that waits for nothing makes a step. */
const TURNS = 1000

/** Tells of a reader that waits for bytes that will not come, as tar-stream does for the content of a directory. `steps` is undefined after its end. */
function tellStall(steps: () => number | undefined, tell: (error: Error) => void): void {
  let [seen, turns] = [steps(), 0]
  const look = () => {
    const now = steps()
    if (now === undefined) return
    if (now !== seen) [seen, turns] = [now, 0]
    if (++turns > TURNS) tell(new Error('an entry in it is longer than the archive'))
    else setImmediate(look)
  }
  setImmediate(look)
}

/** What the stream comes to, as long as it does not grow out of proportion. */
async function* unpacked(archive: Uint8Array, { bounds }: Reading): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  gunzip.end(archive)
  let size = 0
  for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > RATIO_FROM && size > archive.length * bounds.ratio)
      throw new Stopped(`it grows to more than ${bounds.ratio} times its packed size`)
    yield chunk
  }
}
