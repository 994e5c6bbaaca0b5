import { createHash, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { locateUserState } from '../../base/disk/user-state.ts'
import { EngineError } from '../../base/errors.ts'
import { parseObject } from '../../base/text/json-object.ts'
import { VERSION } from '../../base/version.ts'
import { HttpFailure, openHttpClient } from '../../sources/http/client.ts'
import { refuseSecret, type SentSecret } from '../../sources/http/secret-hosts.ts'
import { type Checkpoint, computeKeyId, type LogKey, openCheckpoint } from './checkpoint.ts'
import { hashLeaf, verifyConsistency, verifyInclusion } from './merkle.ts'
import { encodeCountersigned, encodeEntry, type NotaryAnswer } from './protocol.ts'

/** What stands in an attestation of its notarization. */
export type Notarization = NotaryAnswer & { url: string }

/** What can be wrong with a notary's answer. */
export type NotaryFault =
  | 'no_answer'
  | 'malformed'
  | 'wrong_key'
  | 'wrong_payload'
  | 'not_included'
  | 'replayed'
  | 'shrank'
  | 'split_view'

const WORDS: Record<Exclude<NotaryFault, 'no_answer'>, string> = {
  malformed: 'its answer is not in the form of the protocol',
  wrong_key: 'its answer is not signed with the configured key',
  wrong_payload: 'its answer is about another attestation',
  not_included: 'the entry is not in the log that it presents',
  replayed: 'its answer is an old one',
  shrank: 'its log has fewer entries than it had',
  split_view: 'its log does not continue the log that was seen before (split view)',
}

/** Clocks may differ by so much, in milliseconds. */
const CLOCK_SKEW = 600_000

const TOKEN: SentSecret = {
  variable: 'GUARD_NOTARY_TOKEN',
  key: 'notary.url',
  url_variable: 'GUARD_NOTARY_URL',
  hosts_variable: 'GUARD_NOTARY_HOSTS',
}

interface Notary {
  url: string
  key: LogKey
}

/** How requests are made; tests shorten the times. */
export interface NotaryTimes {
  attempts?: number
  pauseMs?: number
  timeoutMs?: number
}

/**
 * Has a notary countersign a digest. Before anything is stored it is verified that the configured key has signed, that the entry is in the
 * log, that it is new, and that the log is the one seen before with entries added. TOOL_MISSING where there is no answer,
 * NOTARY_REFUSED with what is wrong otherwise. CONFIG_INVALID where there is a token and the environment does not name the notary.
 */
export async function notarize(
  payloadSha256: string,
  { url, key }: Notary,
  context: Pick<Context, 'env' | 'signal'>,
  times: NotaryTimes = {},
): Promise<Notarization> {
  const { env, signal } = context
  const token = env.GUARD_NOTARY_TOKEN
  if (token) refuseSecret(TOKEN, url, env)
  const http = await openHttpClient({ env, signal, attempts: 3, timeoutMs: 15_000, ...times })
  const base = url.replace(/\/+$/, '')
  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
    try {
      return await http.request(
        {
          ...{ method, url: `${base}${path}`, mostBytes: 1 << 20 },
          ...(body && { body: JSON.stringify(body) }),
          ...(token && { headers: { authorization: `Bearer ${token}` } }),
        },
        ({ body: bytes }) => parseObject(bytes.toString('utf8')),
      )
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      throw new EngineError('TOOL_MISSING', `The notary does not answer: ${error.message}.`, {
        hint: 'Check notary.url, or attest without --notarize.',
        cause: error,
      })
    }
  }
  try {
    const known = readLastCheckpoint(env, key)
    const answer = await ask('POST', '/v1/entries', { payload_sha256: payloadSha256, tool_version: VERSION })
    const fault = findAnswerFault(answer, payloadSha256, key)
    if (fault) throw refused(fault)
    const notarization = { ...pickAnswer(answer as NotaryAnswer), url }
    if (Math.abs(Date.parse(notarization.timestamp) - Date.now()) > CLOCK_SKEW) throw refused('replayed')
    const checkpoint = openCheckpoint(notarization.checkpoint, key) as Checkpoint
    if (known) await refuseFork(known, checkpoint, ask)
    // An entry that was there before the request answers another one.
    if (known && notarization.index < known.size) throw refused('replayed')
    keepCheckpoint(env, key, notarization.checkpoint)
    return notarization
  } finally {
    await http.close()
  }
}

/** What is wrong with an answer by itself: its form, its signature, its checkpoint, the path into it. No network. */
export function findAnswerFault(
  answer: unknown,
  payloadSha256: string,
  key: LogKey,
): Exclude<NotaryFault, 'no_answer'> | undefined {
  if (!isAnswer(answer)) return 'malformed'
  if (answer.payload_sha256 !== payloadSha256) return 'wrong_payload'
  const signature = Buffer.from(answer.signature, 'base64')
  if (answer.log_id !== computeKeyId(key.key) || !verify(null, encodeCountersigned(answer), key.key, signature))
    return 'wrong_key'
  const checkpoint = openCheckpoint(answer.checkpoint, key)
  if (typeof checkpoint === 'string') return checkpoint
  const path = answer.inclusion.map(hash => Buffer.from(hash, 'base64'))
  const proof = { index: answer.index, size: checkpoint.size, path, root: checkpoint.root }
  return verifyInclusion(hashLeaf(encodeEntry(answer)), proof) ? undefined : 'not_included'
}

/** A fault in words that follow "the notary: ". */
export function describeNotaryFault(fault: Exclude<NotaryFault, 'no_answer'>): string {
  return WORDS[fault]
}

/** Refuses a log that is not the one seen before with entries added. */
async function refuseFork(
  known: Checkpoint,
  now: Checkpoint,
  ask: (method: 'GET', path: string) => Promise<unknown>,
): Promise<void> {
  if (now.size < known.size) throw refused('shrank')
  if (now.size === known.size) {
    if (now.root.equals(known.root)) return
    throw refused('split_view')
  }
  const answer = await ask('GET', `/v1/consistency?from=${known.size}&to=${now.size}`)
  const proof = (answer as { consistency?: unknown } | undefined)?.consistency
  if (!Array.isArray(proof) || !proof.every(isHash)) throw refused('malformed')
  const hashes = proof.map(hash => Buffer.from(hash, 'base64'))
  if (!verifyConsistency(known, now, hashes)) throw refused('split_view')
}

function isAnswer(value: unknown): value is NotaryAnswer {
  const { payload_sha256, tool_version, timestamp, log_id, index, signature, inclusion, checkpoint } = (value ??
    {}) as NotaryAnswer
  return (
    [payload_sha256, tool_version, timestamp, log_id, signature, checkpoint].every(text => typeof text === 'string') &&
    /^[\w.+-]{1,64}$/.test(tool_version) &&
    Number.isSafeInteger(index) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp) &&
    Array.isArray(inclusion) &&
    inclusion.length <= 64 &&
    inclusion.every(isHash)
  )
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(value)
}

/** The answer without what else a notary may have sent. */
function pickAnswer(answer: NotaryAnswer): NotaryAnswer {
  const { payload_sha256, tool_version, timestamp, log_id, index, signature, inclusion, checkpoint } = answer
  return { payload_sha256, tool_version, timestamp, log_id, index, signature, inclusion, checkpoint }
}

function refused(fault: Exclude<NotaryFault, 'no_answer'>): EngineError {
  return new EngineError('NOTARY_REFUSED', `The notary cannot be trusted: ${WORDS[fault]}.`)
}

/** Where the last checkpoint of a log is kept: with the user, since a repository could bring one that suits it. */
function locateCheckpoint(env: Context['env'], { key, name }: LogKey): string {
  const named = createHash('sha256')
    .update(`${name}\n${computeKeyId(key)}`)
    .digest('hex')
    .slice(0, 32)
  return join(locateUserState(env), 'notaries', named)
}

function readLastCheckpoint(env: Context['env'], key: LogKey): Checkpoint | undefined {
  const path = locateCheckpoint(env, key)
  if (!existsSync(path)) return undefined
  const checkpoint = openCheckpoint(readFileSync(path, 'utf8'), key)
  if (typeof checkpoint !== 'string') return checkpoint
  throw new EngineError('STORE_UNREADABLE', 'The last checkpoint of the notary, kept here, was changed.', {
    hint: `Compare the log with another witness, then remove ${path}.`,
  })
}

function keepCheckpoint(env: Context['env'], key: LogKey, note: string): void {
  const path = locateCheckpoint(env, key)
  makeFolders(join(locateUserState(env), 'notaries'), { mode: 0o700 })
  writeOutput(path, note)
}
