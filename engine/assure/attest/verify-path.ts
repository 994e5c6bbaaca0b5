import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import { ignoreUnreadable, readLinked } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import { parseObject } from '../../base/text/json-object.ts'
import type { LogKey } from '../notary/checkpoint.ts'
import { listRetired, parsePublicKeys, readPublicKeys, readSecrets } from './keys.ts'
import {
  type Judgment,
  type KnownKeys,
  MOST_BYTES,
  markMissing,
  refuseMixed,
  settleNotarized,
  verifyDocument,
} from './verify.ts'

/** Where documents are verified, and with which keys besides those of this machine. */
export interface VerifyPlace {
  root: string
  cwd: string
  env: Context['env']
  /** A file with public keys in PEM. */
  key?: string
  notary?: LogKey
  /** Told of secrets that are not believed. */
  notice?: Context['notice']
}

/** A directory of more documents is listed by its user. */
const MOST_FILES = 10_000

/** The keys at hand: secrets and public keys of this machine, and those of a file. */
export async function gatherKeys({ root, cwd, env, key, notary, notice }: VerifyPlace): Promise<KnownKeys> {
  const publicKeys = readPublicKeys(env)
  if (key !== undefined) {
    const text = ignoreUnreadable(() => readLinked(resolve(cwd, key), 1 << 20))?.toString('utf8')
    if (text === undefined) throw new EngineError('NOT_FOUND', `The key file ${JSON.stringify(key)} cannot be read.`)
    for (const [id, own] of parsePublicKeys(text, key)) publicKeys.set(id, own)
  }
  const retired = listRetired(root, env)
  return { secrets: await readSecrets(root, env, notice), publicKeys, retired, ...(notary && { notary }) }
}

/** What a path was verified to. */
export interface VerifiedPath {
  verified: Judgment[]
  /** Files of a directory that are none of the documents. */
  skipped: { file: string; reason: string }[]
}

/** Names that svc gives its documents: what is called so and is none was made to look like nothing. */
const DOCUMENT = /(?:attestation|\.intoto|\.sigstore)\.json$/i
const BESIDE = ['.intoto.json', '.sigstore.json']

/**
 * Verifies a file, or every document in a directory. NOT_FOUND where there is no such path, or no document in the directory.
 * A file that is none of the documents is ALTERED where its name is one of a document: whoever asks holds it for one. Another file is
 * INPUT_INVALID where it is named, and skipped in a directory.
 */
export async function verifyPath(named: string, place: VerifyPlace): Promise<VerifiedPath> {
  const path = resolve(place.cwd, named)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new EngineError('NOT_FOUND', `There is no file or directory ${JSON.stringify(named)}.`)
  const keys = await gatherKeys(place)
  if (!stat.isDirectory()) return { verified: [await verifyNotarized(named, path, keys)], skipped: [] }
  const names = readdirSync(path)
    .filter(name => /\.(?:json|jsonl|zip)$/i.test(name))
    .sort()
  if (names.length > MOST_FILES)
    throw new EngineError('INPUT_INVALID', `${named} has ${names.length} files; at most ${MOST_FILES} are verified.`)
  const there = new Set(names)
  const judgments: Judgment[] = []
  const skipped: VerifiedPath['skipped'] = []
  for (const name of names) {
    const file = join(named, name)
    const judged = /\.zip$/i.test(name)
      ? await verifyFile(file, join(path, name), keys)
      : await verifyListed(file, join(path, name), keys)
    if (!('skipped' in judged)) judgments.push(judged)
    else if (DOCUMENT.test(name) || BESIDE.some(ending => there.has(name.replace(/\.json$/i, ending))))
      judgments.push({ file, kind: kindOf(name), word: 'ALTERED', reason: judged.skipped })
    else skipped.push({ file, reason: judged.skipped })
  }
  if (judgments.length > 0) return { verified: markMissing(settleNotarized(refuseMixed(judgments))), skipped }
  throw new EngineError('NOT_FOUND', `${named} contains no attestation.`, { hint: 'Write one with `svc attest`.' })
}

function kindOf(name: string): Judgment['kind'] {
  return BESIDE.some(ending => name.toLowerCase().endsWith(ending)) ? 'in-toto statement' : 'attestation'
}

async function verifyListed(file: string, path: string, keys: KnownKeys): Promise<Judgment | { skipped: string }> {
  const text = ignoreUnreadable(() => readLinked(path, MOST_BYTES))?.toString('utf8')
  if (text === undefined) return { skipped: 'it cannot be read, or is larger than 64 MiB' }
  return (await verifyDocument(file, text, keys)) ?? { skipped: 'it is no attestation' }
}

/** What a file is that is no document of svc, in words. */
function describeContent(content: Buffer): string {
  if (content.length === 0) return 'empty'
  if (content.length > MOST_BYTES) return 'larger than 64 MiB'
  if (content.subarray(0, 8192).includes(0)) return 'a binary file'
  return parseObject(content.toString('utf8')) ? 'a JSON document of another kind' : 'a text file'
}

/** A file; of one that is notarized and whose own key is not here, the statements beside it too. */
async function verifyNotarized(named: string, path: string, keys: KnownKeys): Promise<Judgment> {
  const judged = await verifyFile(named, path, keys)
  if (judged.notarized === undefined) return judged
  const stem = path.replace(/\.json$/i, '')
  const all = [judged]
  for (const ending of BESIDE) {
    const beside = await verifyListed(`${named}${ending}`, `${stem}${ending}`, keys)
    if (!('skipped' in beside)) all.push(beside)
  }
  return settleNotarized(all)[0]!
}

async function verifyFile(named: string, path: string, keys: KnownKeys): Promise<Judgment> {
  const content = ignoreUnreadable(() => readLinked(path))
  if (!content) throw new EngineError('NOT_FOUND', `The file ${JSON.stringify(named)} cannot be read.`)
  if (content.subarray(0, 2).toString('latin1') === 'PK') {
    const { verifyBundle } = await import('../bundle/verify.ts')
    return (await verifyBundle(named, content, keys)).judgment
  }
  const judged = content.length > MOST_BYTES ? undefined : await verifyDocument(named, content.toString('utf8'), keys)
  if (judged) return judged
  if (DOCUMENT.test(path))
    return { file: named, kind: kindOf(path), word: 'ALTERED', reason: 'it contains no attestation' }
  throw new EngineError('INPUT_INVALID', `${named} is no attestation: it is ${describeContent(content)}.`, {
    hint: 'Name an attestation, an in-toto statement, a Sigstore bundle, an audit bundle, or a directory of them.',
  })
}
