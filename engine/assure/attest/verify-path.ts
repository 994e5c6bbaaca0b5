import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import { readLinked } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import type { LogKey } from '../notary/checkpoint.ts'
import { parsePublicKeys, readPublicKeys, readSecrets } from './keys.ts'
import { type Judgment, type KnownKeys, MOST_BYTES, refuseMixed, verifyDocument } from './verify.ts'

/** Where documents are verified, and with which keys besides those of this machine. */
export interface VerifyPlace {
  root: string
  cwd: string
  env: Context['env']
  /** A file with public keys in PEM. */
  key?: string
  notary?: LogKey
}

/** A directory of more documents is listed by its user. */
const MOST_FILES = 10_000

/** The keys at hand: secrets and public keys of this machine, and those of a file. */
export function gatherKeys({ root, cwd, env, key, notary }: VerifyPlace): KnownKeys {
  const publicKeys = readPublicKeys(env)
  if (key !== undefined) {
    const text = readLinked(resolve(cwd, key), 1 << 20)?.toString('utf8')
    if (text === undefined) throw new EngineError('NOT_FOUND', `The key file ${JSON.stringify(key)} cannot be read.`)
    for (const [id, own] of parsePublicKeys(text, key)) publicKeys.set(id, own)
  }
  return { secrets: readSecrets(root), publicKeys, ...(notary && { notary }) }
}

/**
 * Verifies a file, or every document in a directory. NOT_FOUND where there is no such path, or no document in the directory.
 * A file that is none of the documents is ALTERED: whoever asks holds it for one.
 */
export async function verifyPath(named: string, place: VerifyPlace): Promise<Judgment[]> {
  const path = resolve(place.cwd, named)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new EngineError('NOT_FOUND', `There is no file or directory ${JSON.stringify(named)}.`)
  const keys = gatherKeys(place)
  if (!stat.isDirectory()) return [await verifyFile(named, path, keys)]
  const names = readdirSync(path)
    .filter(name => /\.(?:json|jsonl|zip)$/.test(name))
    .sort()
  if (names.length > MOST_FILES)
    throw new EngineError('INPUT_INVALID', `${named} has ${names.length} files; at most ${MOST_FILES} are verified.`)
  const judgments: Judgment[] = []
  for (const name of names) {
    const file = join(path, name)
    const text = name.endsWith('.zip') ? undefined : readLinked(file, MOST_BYTES)?.toString('utf8')
    const judged = name.endsWith('.zip')
      ? await verifyFile(join(named, name), file, keys)
      : text === undefined
        ? undefined
        : await verifyDocument(join(named, name), text, keys)
    if (judged) judgments.push(judged)
  }
  if (judgments.length > 0) return refuseMixed(judgments)
  throw new EngineError('NOT_FOUND', `${named} contains no attestation.`, { hint: 'Write one with `svc attest`.' })
}

async function verifyFile(named: string, path: string, keys: KnownKeys): Promise<Judgment> {
  const content = readLinked(path)
  if (!content) throw new EngineError('NOT_FOUND', `The file ${JSON.stringify(named)} cannot be read.`)
  if (content.subarray(0, 2).toString('latin1') === 'PK') {
    const { verifyBundle } = await import('../bundle/verify.ts')
    return (await verifyBundle(named, content, keys)).judgment
  }
  const judged = content.length > MOST_BYTES ? undefined : await verifyDocument(named, content.toString('utf8'), keys)
  return judged ?? { file: named, kind: 'attestation', word: 'ALTERED', reason: 'it contains no attestation' }
}
