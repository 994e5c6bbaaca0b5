import canonicalize from 'canonicalize'

/** What a client sends: of its attestation, the digest alone. */
export interface NotaryRequest {
  /** SHA-256 of the attestation, hex. */
  payload_sha256: string
  tool_version: string
}

/** What a log keeps of a request. */
export interface LogEntry extends NotaryRequest {
  /** ISO 8601, UTC, by the notary's clock. */
  timestamp: string
}

/** What a notary answers. Hashes and signatures are in base64. */
export interface NotaryAnswer extends LogEntry {
  /** SHA-256 of the notary's public key, hex. */
  log_id: string
  index: number
  /** Ed25519 over the canonical JSON of log_id, index, payload_sha256, timestamp and tool_version. */
  signature: string
  /** The path from the entry to the root of the checkpoint. */
  inclusion: string[]
  /** Signed note (C2SP tlog-checkpoint). */
  checkpoint: string
}

/** An entry's bytes in the log: canonical JSON. */
export function encodeEntry({ payload_sha256, timestamp, tool_version }: LogEntry): Buffer {
  return Buffer.from(canonicalize({ payload_sha256, timestamp, tool_version })!)
}

/** The bytes that the notary countersigns. */
export function encodeCountersigned(answer: Omit<NotaryAnswer, 'signature' | 'inclusion' | 'checkpoint'>): Buffer {
  const { log_id, index, payload_sha256, timestamp, tool_version } = answer
  return Buffer.from(canonicalize({ log_id, index, payload_sha256, timestamp, tool_version })!)
}

/** The faults of a request, in a sentence; undefined where it is one. */
export function findRequestFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'The body must be a JSON object.'
  const { payload_sha256, tool_version, ...others } = value as Record<string, unknown>
  if (typeof payload_sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(payload_sha256))
    return 'payload_sha256 must be 64 lower-case hex digits.'
  if (typeof tool_version !== 'string' || !/^[\w.+-]{1,64}$/.test(tool_version))
    return 'tool_version must be a version of at most 64 characters.'
  const [extra] = Object.keys(others)
  return extra === undefined ? undefined : 'The body may only have payload_sha256 and tool_version.'
}
