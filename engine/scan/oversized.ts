import type { Hash } from 'node:crypto'
import { type NotRead, readPieces } from '../base/disk/read.ts'
import { detectLanguageOfContent } from '../base/languages/languages.ts'
import { toSystemPath } from '../base/text/path-name.ts'
import { scanLarge } from '../detect/large/scan.ts'
import { makeGitHash } from '../sources/repository/git.ts'
import type { FileReport, Workplace } from './batch.ts'

/** Searches a file over the size limit for secrets; `report` has afterwards what it came to. With `verify` also whether its bytes are those that git names. */
export async function scanOversized(
  report: FileReport,
  { rules, root, limits, reader, live = () => true }: Workplace,
  verify: boolean,
): Promise<void> {
  const { file } = report
  let failed: NotRead | undefined
  const place = toSystemPath(root, file)
  const pieces =
    file.blob === undefined
      ? readPieces(place, failure => {
          failed = failure
        })
      : reader.pieces(file.blob)
  const hash = verify && file.oid !== undefined ? makeGitHash(file.size, file.oid) : undefined
  try {
    const { first, all } = await begun(hashed(pieces, hash))
    const language = file.language ?? detectLanguageOfContent(file.path, first) ?? 'text'
    const found = await scanLarge(rules, { file, language }, all, limits, live)
    Object.assign(report, found, { language })
  } catch (error) {
    failed = { reason: 'unreadable', detail: (error as Error).message }
  }
  if (failed) {
    report.skip = { path: file.path, ...failed }
    delete report.outcome
    delete report.partly
  } else if (hash && !report.skip) report.verified = hash.digest('hex') === file.oid
}

/** The first of the pieces, and all of them. */
async function begun(
  pieces: AsyncGenerator<Uint8Array>,
): Promise<{ first: Uint8Array; all: AsyncGenerator<Uint8Array> }> {
  const { value: first = new Uint8Array(0) } = await pieces.next()
  async function* all() {
    try {
      yield first
      yield* pieces
    } finally {
      // Where nobody asks for the rest, whoever gives it is to end too.
      await pieces.return(undefined)
    }
  }
  return { first, all: all() }
}

async function* hashed(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  hash: Hash | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    hash?.update(piece)
    yield piece
  }
}
