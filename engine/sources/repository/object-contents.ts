import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { EngineError } from '../../base/errors.ts'
import { describeGitFailure } from './git.ts'
import { spawnFailure, startGit } from './git-process.ts'

/** Where the content of an object is in a file of many. */
export interface StoredContent {
  offset: number
  size: number
}

/** What git writes before a content: a name of at most 64 digits, a kind and a number. */
const LONGEST_HEADER = 128
const LINE_FEED = 0x0a

/**
 * Writes the contents of these objects, by git's names of them, into a new file, one after the other, and answers where each is. One process reads
 * them all, and nothing of them passes through this one. REPO_UNREADABLE where the repository does not have one of them; nothing is fetched.
 */
export async function writeContents(
  root: string,
  oids: ReadonlySet<string>,
  file: string,
  signal: AbortSignal,
): Promise<Map<string, StoredContent>> {
  const descriptor = openSync(file, 'wx+', 0o600)
  try {
    await copyObjects(root, oids, descriptor, signal)
    return readPlaces(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function copyObjects(
  root: string,
  oids: ReadonlySet<string>,
  descriptor: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const args = ['cat-file', '--batch', '--buffer']
  const child = startGit(root, args, { stdio: ['pipe', descriptor, 'pipe'] })
  const end = () => child.kill()
  signal.addEventListener('abort', end, { once: true })
  let stderr = ''
  child.stderr!.on('data', chunk => {
    stderr += chunk
  })
  // Its exit code tells why it read no further.
  child.stdin!.on('error', () => {})
  child.stdin!.end(`${[...oids].join('\n')}\n`)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', error => reject(spawnFailure(error)))
    child.on('close', resolve)
  }).finally(() => signal.removeEventListener('abort', end))
  signal.throwIfAborted()
  if (code !== 0) throw describeGitFailure(args, stderr)
}

/** An answer is `<id> <type> <size>`, line feed, the content, line feed; or `<id> missing` and a line feed. */
function readPlaces(descriptor: number): Map<string, StoredContent> {
  const places = new Map<string, StoredContent>()
  const { size: end } = fstatSync(descriptor)
  const bytes = Buffer.alloc(LONGEST_HEADER)
  for (let at = 0; at < end; ) {
    const header = bytes.subarray(0, readSync(descriptor, bytes, 0, LONGEST_HEADER, at))
    const length = header.indexOf(LINE_FEED)
    const [oid = '', kind, size = ''] = header.toString('latin1', 0, Math.max(0, length)).split(' ')
    if (kind === 'missing' || !/^\d+$/.test(size)) throw refuseMissing(oid)
    places.set(oid, { offset: at + length + 1, size: Number(size) })
    at += length + 1 + Number(size) + 1
  }
  return places
}

function refuseMissing(oid: string): EngineError {
  return new EngineError('REPO_UNREADABLE', `The repository does not have the object ${oid}.`, {
    hint: 'Fetch the contents of the commit first.',
  })
}
