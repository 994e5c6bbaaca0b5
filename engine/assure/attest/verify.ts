import type { KeyObject } from 'node:crypto'
import { isObject, type JsonObject, parseObject } from '../../base/text/json-object.ts'
import type { LogKey } from '../notary/checkpoint.ts'
import { describeNotaryFault, findAnswerFault } from '../notary/client.ts'
import { checkSignature, digestAttestation } from './document.ts'
import { IN_TOTO, openEnvelope, readSigstoreBundle } from './envelope.ts'
import type { SecretKey } from './keys.ts'
import { PREDICATE, VSA_PREDICATE } from './statement.ts'

/** What a document is worth, in the words of the specification. */
export type Word = 'notarized' | 'self-signed' | 'ALTERED' | 'no key here'

/** What `--verify` says of one document. */
export interface Judgment {
  file: string
  kind: 'attestation' | 'in-toto statement' | 'audit bundle'
  word: Word
  /** Completes "self-signed: …". */
  reason: string
  /** The digest of the attestation that the document is, or rests on. */
  attestation_sha256?: string
  /** A valid countersignature of an attestation whose own key is not here: the entry, in words. */
  notarized?: string
  /** A statement in a directory that has no attestation. */
  attestation_missing?: true
}

/** The keys at hand. None is ever made to verify. */
export interface KnownKeys {
  secrets: readonly SecretKey[]
  publicKeys: ReadonlyMap<string, KeyObject>
  /** Ids of keys of this machine that rotation has replaced. */
  retired?: ReadonlySet<string>
  notary?: LogKey
}

/** Documents larger than this are none. */
export const MOST_BYTES = 64 * 1024 * 1024

/** Verifies a document by its content; undefined where it is neither an attestation nor an envelope with one. */
export async function verifyDocument(file: string, text: string, keys: KnownKeys): Promise<Judgment | undefined> {
  const value = parseObject(text)
  if (!value) return undefined
  const envelope = readSigstoreBundle(value) ?? ('payloadType' in value || 'signatures' in value ? value : undefined)
  if (envelope) return verifyEnvelope(file, envelope, keys)
  if (value.type !== 'svc-attestation' && !String(value.signature ?? '').startsWith('hmac-sha256:')) return undefined
  return { file, kind: 'attestation', ...(await verifyAttestation(value, text, keys)) }
}

type Said = Pick<Judgment, 'word' | 'reason' | 'attestation_sha256' | 'notarized'>

async function verifyAttestation(value: JsonObject, text: string, keys: KnownKeys): Promise<Said> {
  const altered = (reason: string): Said => ({ word: 'ALTERED', reason })
  if (value.type !== 'svc-attestation' || value.version !== 1) return altered('it is no attestation of a known version')
  if (await hasDuplicateKeys(text)) return altered('it has a field twice')
  let digest: string
  try {
    digest = digestAttestation(value)
  } catch {
    return altered('it contains text that is not Unicode')
  }
  const signature = checkSignature(value, keys.secrets)
  if (signature === 'broken') return altered('its signature is not valid')
  const { notarization } = value
  const notary =
    keys.notary && notarization !== undefined ? findAnswerFault(notarization, digest, keys.notary) : undefined
  if (notary) return altered(`its notarization is not valid: ${describeNotaryFault(notary)}`)
  const facts = { attestation_sha256: digest }
  if (notarization !== undefined && keys.notary) {
    const { timestamp, index } = notarization as { timestamp: string; index: number }
    const notarized = `entry ${index} of ${keys.notary.name}, ${timestamp}`
    if (signature === 'holds') return { word: 'notarized', reason: notarized, ...facts }
    // A notary countersigns whatever it is sent: it proves a time, not who made the attestation.
    const reason = `it was signed with a key that is not on this machine, and notarized by ${keys.notary.name}`
    return { word: 'no key here', reason, notarized, ...facts }
  }
  const unread =
    notarization === undefined ? '' : '; it is notarized, and the key of the notary is not here (--notary-key)'
  if (signature === 'unknown_key')
    return { word: 'no key here', reason: `it was signed with a key that is not on this machine${unread}`, ...facts }
  const id = String(value.signature).split(':')[1] ?? ''
  const whose = keys.retired?.has(id) ? `a retired key of this machine (${id})` : "this machine's key"
  return { word: 'self-signed', reason: `the signature of ${whose} is valid${unread}`, ...facts }
}

async function verifyEnvelope(
  file: string,
  envelope: JsonObject,
  { publicKeys, retired }: KnownKeys,
): Promise<Judgment> {
  const opened = await openEnvelope(envelope, IN_TOTO, publicKeys)
  const kind = 'in-toto statement'
  if ('fault' in opened)
    return { file, kind, word: opened.unknown_key ? 'no key here' : 'ALTERED', reason: opened.fault }
  const text = opened.payload.toString('utf8')
  const statement = parseObject(text)
  const fault =
    !statement || (await hasDuplicateKeys(text)) ? 'its payload is no statement' : findStatementFault(statement)
  if (fault) return { file, kind, word: 'ALTERED', reason: fault }
  const digest = findAttestationDigest(statement!)
  const whose = retired?.has(opened.keyid) ? 'the retired key' : 'key'
  const reason = `the signature of ${whose} ${opened.keyid.slice(0, 16)} is valid`
  return { file, kind, word: 'self-signed', reason, ...(digest !== undefined && { attestation_sha256: digest }) }
}

/** What is wrong with a signed statement: a signature of ours over something else proves nothing here. */
function findStatementFault({ _type, subject, predicateType, predicate }: JsonObject): string | undefined {
  if (_type !== 'https://in-toto.io/Statement/v1') return 'what is signed is no in-toto statement'
  if (predicateType !== PREDICATE && predicateType !== VSA_PREDICATE) return 'what is signed is no attestation of svc'
  if (!Array.isArray(subject) || subject.length === 0 || !isObject(predicate)) return 'its statement has no subject'
  return undefined
}

function findAttestationDigest({ predicateType, predicate }: JsonObject): string | undefined {
  const own = predicate as JsonObject
  if (predicateType === PREDICATE) return asText(own.attestation_sha256)
  const [input] = Array.isArray(own.inputAttestations) ? own.inputAttestations : []
  return isObject(input) && isObject(input.digest) ? asText(input.digest.sha256) : undefined
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * Documents that lie together must be about the same attestation: a statement of another run beside an attestation is a
 * replay, though each is genuine.
 */
export function refuseMixed(judgments: readonly Judgment[]): Judgment[] {
  const digests = new Set(
    judgments.flatMap(each => (each.kind === 'attestation' ? (each.attestation_sha256 ?? []) : [])),
  )
  return judgments.map(each => {
    const isOther =
      each.kind === 'in-toto statement' &&
      each.word === 'self-signed' &&
      digests.size > 0 &&
      !(each.attestation_sha256 !== undefined && digests.has(each.attestation_sha256))
    return isOther ? { ...each, word: 'ALTERED', reason: 'it belongs to an attestation that is not beside it' } : each
  })
}

/**
 * A notarized attestation whose own key is not here is believed where a statement about the same attestation is signed with a
 * known key.
 */
export function settleNotarized(judgments: readonly Judgment[]): Judgment[] {
  const vouched = new Set(
    judgments.flatMap(each =>
      each.kind === 'in-toto statement' && each.word === 'self-signed' ? (each.attestation_sha256 ?? []) : [],
    ),
  )
  return judgments.map(each => {
    const { notarized, ...rest } = each
    if (notarized === undefined || !vouched.has(each.attestation_sha256 ?? '')) return each
    return { ...rest, word: 'notarized', reason: `${notarized}; its statement is signed with a known key` }
  })
}

/** Marks the statements of a directory in which no attestation was judged: they vouch for nothing that is there. */
export function markMissing(judgments: readonly Judgment[]): Judgment[] {
  if (judgments.some(({ kind }) => kind === 'attestation')) return [...judgments]
  return judgments.map(each =>
    each.kind === 'in-toto statement' && each.word === 'self-signed'
      ? { ...each, reason: `${each.reason}, but no attestation is beside it`, attestation_missing: true }
      : each,
  )
}

/** The exit code for all: 1 where one is altered, 2 where the key or the attestation of one is not here, else 0. */
export function decideVerifyExit(judgments: readonly Pick<Judgment, 'word' | 'attestation_missing'>[]): number {
  if (judgments.some(({ word }) => word === 'ALTERED')) return 1
  return judgments.some(each => each.word === 'no key here' || each.attestation_missing) ? 2 : 0
}

/** Whether an object in a JSON text has a key twice: readers differ in which value they take. */
export async function hasDuplicateKeys(text: string): Promise<boolean> {
  const { visit } = await import('jsonc-parser/lib/esm/main.js')
  const open: Set<string>[] = []
  let found = false
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: name => {
      const names = open.at(-1)
      if (names?.has(name)) found = true
      names?.add(name)
    },
  })
  return found
}
