import { createHash } from 'node:crypto'
import { isObject, parseObject } from '../../base/text/json-object.ts'
import { digestFindings } from '../attest/document.ts'
import { openEnvelope } from '../attest/envelope.ts'
import { type Judgment, type KnownKeys, refuseMixed, verifyDocument } from '../attest/verify.ts'
import { listEntries } from './entries.ts'
import { MANIFEST, MANIFEST_TYPE, parseManifest, SIGNATURE } from './manifest.ts'

/** What a bundle unpacks to at most: more is made to exhaust whoever reads it. */
const MOST_BYTES = 2 ** 31

/** What verifying a bundle came to. */
export interface VerifiedBundle {
  judgment: Judgment
  /** Files that were verified, before the first that does not fit. */
  files: number
  /** The file that does not fit. */
  first?: string
}

/**
 * Verifies a bundle in memory and names the first thing that does not fit: the archive, the signature of the manifest, the files by
 * name, then what they say of each other (findings, attestations).
 */
export async function verifyBundle(file: string, bytes: Buffer, keys: KnownKeys): Promise<VerifiedBundle> {
  const say = (word: Judgment['word'], reason: string, more: Partial<VerifiedBundle> = {}): VerifiedBundle => ({
    judgment: { file, kind: 'audit bundle', word, reason },
    files: 0,
    ...more,
  })
  const entries = listEntries(bytes)
  if (!Array.isArray(entries)) return say('ALTERED', entries.fault)
  if (entries.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES)
    return say('ALTERED', 'it unpacks to more than 2 GiB')
  // What nobody has signed is not unpacked.
  const head = await unpack(bytes, name => name === MANIFEST || name === SIGNATURE)
  if (!head) return say('ALTERED', 'its manifest cannot be unpacked', { first: MANIFEST })
  const [manifest, signature] = [head.get(MANIFEST), head.get(SIGNATURE)]
  if (!manifest) return say('ALTERED', `${MANIFEST} is missing`, { first: MANIFEST })
  if (!signature) return say('ALTERED', `${SIGNATURE} is missing`, { first: SIGNATURE })
  const opened = await openEnvelope(parseObject(signature.toString('utf8')) ?? {}, MANIFEST_TYPE, keys.publicKeys)
  const unknown = 'fault' in opened && opened.unknown_key === true
  if ('fault' in opened && !unknown) return say('ALTERED', `${SIGNATURE}: ${opened.fault}`, { first: SIGNATURE })
  if (!('fault' in opened) && !opened.payload.equals(manifest))
    return say('ALTERED', `${MANIFEST} is not the one that was signed`, { first: MANIFEST })
  const digests = parseManifest(manifest.toString('utf8'))
  if (!digests) return say('ALTERED', `${MANIFEST} has a line that is none`, { first: MANIFEST })
  const content = await unpack(bytes, () => true)
  if (!content) return say('ALTERED', 'a file in it cannot be unpacked')
  let files = 0
  for (const name of [...new Set([...digests.keys(), ...entries.map(entry => entry.name)])].sort()) {
    if (name === MANIFEST || name === SIGNATURE) continue
    const own = content.get(name)
    if (!own) return say('ALTERED', `${name} is missing`, { first: name, files })
    if (!digests.has(name)) return say('ALTERED', `${name} was added`, { first: name, files })
    if (createHash('sha256').update(own).digest('hex') !== digests.get(name))
      return say('ALTERED', `${name} was changed`, { first: name, files })
    files++
  }
  const fault = await findInnerFault(content, keys)
  if (fault) return say('ALTERED', `${fault.first}: ${fault.reason}`, { first: fault.first, files })
  if (unknown)
    return say('no key here', 'its files are those of its manifest, which was signed with a key that is not here', {
      files,
    })
  return say('self-signed', `${files} files, each as it was signed`, { files })
}

async function unpack(bytes: Buffer, filter: (name: string) => boolean): Promise<Map<string, Buffer> | undefined> {
  const { unzipSync } = await import('fflate')
  try {
    const files = unzipSync(bytes, { filter: ({ name }) => filter(name) })
    return new Map(
      Object.entries(files).map(([name, own]) => [name, Buffer.from(own.buffer, own.byteOffset, own.length)]),
    )
  } catch {
    return undefined
  }
}

/** What the files say of each other: a bundle signed by its user may still be put together of two runs. */
async function findInnerFault(
  content: ReadonlyMap<string, Buffer>,
  keys: KnownKeys,
): Promise<{ first: string; reason: string } | undefined> {
  const run = parseObject(content.get('run/run.json')?.toString('utf8') ?? '')
  if (!run) return { first: 'run/run.json', reason: 'it is missing or no run' }
  const findings = readFindings(content.get('run/findings.jsonl'))
  if (!findings) return { first: 'run/findings.jsonl', reason: 'a line is no finding' }
  const judgments: Judgment[] = []
  for (const [name, own] of content) {
    if (!/^attestations\/.*\.json$/.test(name)) continue
    const text = own.toString('utf8')
    const judged = await verifyDocument(name, text, keys)
    if (judged) judgments.push(judged)
    const document = parseObject(text)
    if (judged?.kind !== 'attestation' || !document) continue
    if (document.run_id !== run.id) return { first: name, reason: 'it is of another run' }
    if (document.findings_digest !== digestFindings(findings))
      return { first: 'run/findings.jsonl', reason: 'these are not the findings that were attested' }
  }
  if (!judgments.some(({ kind }) => kind === 'attestation'))
    return { first: 'attestations/attestation.json', reason: 'it is missing' }
  const bad = refuseMixed(judgments).find(({ word }) => word === 'ALTERED')
  return bad && { first: bad.file, reason: bad.reason }
}

type Line = Parameters<typeof digestFindings>[0] extends Iterable<infer T> ? T : never

function readFindings(bytes: Buffer | undefined): Line[] | undefined {
  if (!bytes) return undefined
  const findings: Line[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const line = bytes.toString('utf8', from, end === -1 ? bytes.length : end)
    from = end === -1 ? bytes.length : end + 1
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return undefined
    }
    if (!isObject(value) || typeof value.fingerprint !== 'string') return undefined
    const { fingerprint, status, severity, rule_id } = value as unknown as Line
    findings.push({ fingerprint, status, severity, rule_id })
  }
  return findings
}
