import { type KeyObject, sign, verify } from 'node:crypto'
import { isObject, type JsonObject } from '../../base/text/json-object.ts'
import { computeKeyId } from '../notary/checkpoint.ts'

/** Media type of an in-toto statement in an envelope (in-toto attestation, "DSSE Envelope"). */
export const IN_TOTO = 'application/vnd.in-toto+json'

/** A DSSE envelope (secure-systems-lab/dsse, version 1). */
export interface Envelope {
  payload: string
  payloadType: string
  signatures: { keyid: string; sig: string }[]
}

/** Signs bytes in an envelope with Ed25519 (RFC 8032). */
export async function signEnvelope(payload: Buffer, payloadType: string, key: KeyObject): Promise<Envelope> {
  const { dsse } = await import('@sigstore/core')
  const sig = sign(null, dsse.preAuthEncoding(payloadType, payload), key).toString('base64')
  return { payload: payload.toString('base64'), payloadType, signatures: [{ keyid: computeKeyId(key), sig }] }
}

/** The envelope as a Sigstore bundle (version 0.3), which other verifiers read; the key stays our own. */
export async function toSigstoreBundle({ payload, payloadType, signatures }: Envelope): Promise<object> {
  const { bundleToJSON, toDSSEBundle } = await import('@sigstore/bundle')
  const [signature] = signatures
  const bundle = toDSSEBundle({
    artifact: Buffer.from(payload, 'base64'),
    artifactType: payloadType,
    signature: Buffer.from(signature!.sig, 'base64'),
    keyHint: signature!.keyid,
  })
  return bundleToJSON(bundle as never) as object
}

/** The envelope in a Sigstore bundle; undefined where it has none. */
export function readSigstoreBundle(value: JsonObject): JsonObject | undefined {
  const type = value.mediaType
  if (typeof type !== 'string' || !type.startsWith('application/vnd.dev.sigstore.bundle')) return undefined
  return isObject(value.dsseEnvelope) ? value.dsseEnvelope : {}
}

/** What came of opening an envelope. */
export type Opened = { payload: Buffer; keyid: string } | { fault: string; unknown_key?: true }

/**
 * Opens an envelope: exactly one signature, of a key that is known, over this payload type. A bundle names no key in its
 * signature, so each known key is tried there.
 */
export async function openEnvelope(
  value: JsonObject,
  payloadType: string,
  keys: ReadonlyMap<string, KeyObject>,
): Promise<Opened> {
  const { payload, payloadType: type, signatures } = value
  if (typeof payload !== 'string' || typeof type !== 'string' || !Array.isArray(signatures))
    return { fault: 'it is no DSSE envelope' }
  if (type !== payloadType) return { fault: `its payload type is ${JSON.stringify(type.slice(0, 80))}` }
  if (signatures.length !== 1) return { fault: `it has ${signatures.length} signatures, and must have one` }
  const { keyid = '', sig } = (isObject(signatures[0]) ? signatures[0] : {}) as { keyid?: unknown; sig?: unknown }
  if (typeof keyid !== 'string' || typeof sig !== 'string') return { fault: 'it is no DSSE envelope' }
  const bytes = decodeBase64(payload)
  const signature = decodeBase64(sig)
  if (!bytes || signature?.length !== 64) return { fault: 'its payload or signature is not in base64' }
  const { dsse } = await import('@sigstore/core')
  const signed = dsse.preAuthEncoding(type, bytes)
  const candidates = keyid === '' ? [...keys] : [...keys].filter(([id]) => id === keyid)
  if (candidates.length === 0) return { fault: 'it was signed with a key that is not here', unknown_key: true }
  const found = candidates.find(([, key]) => verify(null, signed, key, signature))
  if (found) return { payload: bytes, keyid: found[0] }
  return { fault: 'its signature is not valid' }
}

/** Bytes in canonical base64; a lenient decoder would read several texts as the same. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
