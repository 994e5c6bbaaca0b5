import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EncodedText, openText } from '../fixes/encoded-text.ts'
import { tryGit } from '../sources/repository/git.ts'

/**
 * The working file with a change of the staged content carried over: a three-way merge as git does it, of which nothing is
 * taken where it does not come out clean (undefined). The file's encoding and line ends may be other than those of what is
 * staged, since git converts between them; the merge is then made between the texts, and every line of the working file
 * comes back as it was written.
 */
export async function carryOver(
  working: Uint8Array,
  before: Uint8Array,
  after: Uint8Array,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (Buffer.from(before).equals(working)) return after
  return (await merge(working, before, after, signal)) ?? convertedMerge(working, before, after, signal)
}

/** The merge between texts with plain line ends, where the working file is such a text in another form throughout. */
async function convertedMerge(
  working: Uint8Array,
  before: Uint8Array,
  after: Uint8Array,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  const file = openText(working)
  const base = openText(before)?.text
  const fixed = openText(after)?.text
  if (!file || base === undefined || fixed === undefined) return undefined
  const plain = file.text.replaceAll('\r\n', '\n')
  const converts = file.text.includes('\r\n') && file.text === withReturns(plain)
  const text = converts ? plain : file.text
  const utf8 = Buffer.from(text)
  if (utf8.equals(working)) return undefined
  const merged = text === base ? Buffer.from(fixed) : await merge(utf8, Buffer.from(base), Buffer.from(fixed), signal)
  if (!merged) return undefined
  const result = Buffer.from(merged).toString()
  return rewritten(file, converts ? withReturns(result) : result)
}

/** The file with another text; only what differs is written, so that what cannot be written anew stays as it is. */
function rewritten(file: EncodedText, text: string): Uint8Array | undefined {
  const old = file.text
  const shorter = Math.min(old.length, text.length)
  let start = 0
  while (start < shorter && old[start] === text[start]) start++
  let same = 0
  while (same < shorter - start && old[old.length - 1 - same] === text[text.length - 1 - same]) same++
  const added = text.slice(start, text.length - same)
  return file.canHold(added) ? file.splice([{ start, end: old.length - same, text: added }]) : undefined
}

function withReturns(text: string): string {
  return text.replaceAll('\n', '\r\n')
}

/** git's own three-way merge of contents; undefined where sides conflict or are binary. */
async function merge(
  ours: Uint8Array,
  base: Uint8Array,
  theirs: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-merge-'))
  try {
    await Promise.all([
      writeFile(join(folder, 'ours'), ours),
      writeFile(join(folder, 'base'), base),
      writeFile(join(folder, 'theirs'), theirs),
    ])
    const { code, stdout } = await tryGit(folder, ['merge-file', '-p', '-q', 'ours', 'base', 'theirs'], { signal })
    return code === 0 ? stdout : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
