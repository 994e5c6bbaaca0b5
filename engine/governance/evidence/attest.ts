import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { canonical } from '../../base/text/canonical.ts'
import { loadUserKey } from '../user-key.ts'
import type { Evidence } from './collect.ts'

/** Media type of the payload (in-toto attestation, "DSSE Envelope"). */
const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const PREDICATE_TYPE = 'urn:svc:harness-report:1'

/** A DSSE envelope (secure-systems-lab/dsse, version 1). */
export interface Envelope {
  payload: string
  payloadType: string
  signatures: { keyid: string; sig: string }[]
}

/** The report's file as the subject of an in-toto statement (version 1), in an envelope signed with Ed25519 (RFC 8032). */
export function makeEnvelope(evidence: Evidence, name: string, content: string, key: KeyObject): Envelope {
  const { sections: s } = evidence
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { sha256: createHash('sha256').update(content).digest('hex') } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      generated_at: evidence.generated_at,
      since: evidence.since,
      tool_version: evidence.tool_version,
      repository: evidence.repository,
      policy_digest: evidence.policy_digest,
      sessions: s.task_binding.by_status,
      anomalies: s.anomalies.by_verdict,
      approvals: s.human_approvals.by_status,
      audit: {
        entries: s.audit_trail.entries,
        last_seq: s.audit_trail.last_seq,
        head_hash: s.audit_trail.head_hash,
        fault: s.audit_trail.fault,
      },
    },
  }
  const payload = Buffer.from(canonical(statement))
  const sig = sign(null, encodePayload(PAYLOAD_TYPE, payload), key).toString('base64')
  return { payload: payload.toString('base64'), payloadType: PAYLOAD_TYPE, signatures: [{ keyid: keyId(key), sig }] }
}

/** The bytes that are signed: DSSE's pre-authentication encoding. */
export function encodePayload(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])
}

/** The public key as PEM (SubjectPublicKeyInfo), for openssl and whoever is to verify. */
export function exportPublicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string
}

/** SHA-256 of the public key's SubjectPublicKeyInfo, hex. */
function keyId(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('hex')
}

/** The user's signing key, made once, mode 0600, outside every repository. */
export function loadSigningKey(env: Readonly<Record<string, string | undefined>>): KeyObject {
  return loadUserKey(env, 'evidence.pem', 'attested evidence')
}
