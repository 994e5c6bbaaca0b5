import type { Document, YAMLSeq } from 'yaml'
import { writeProjectFile } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { parseYaml } from '../../sources/config/parse.ts'
import { EVIDENCE_PATH } from '../../sources/config/paths.ts'
import { refuseConfig } from '../../sources/config/validate.ts'
import { EVIDENCE_KEYS, type EvidenceEntry, type EvidenceFields, findEntryFaults } from './entry.ts'

const HEADER =
  ' Evidence that people vouch for, by control. Written by `svc evidence add`; a changed, missing or expired entry has no effect.'

/** Thousands of entries; a repository may bring a larger file only to slow svc down. */
const MOST_BYTES = 4 << 20

/**
 * The entries of `.svc/evidence.yaml`, in order; none where there is no such file. CONFIG_INVALID with every fault and its
 * line: evidence that is not understood must not be taken for none.
 */
export async function readEvidence(root: string): Promise<EvidenceEntry[]> {
  const bytes = readSettings(root, EVIDENCE_PATH, { most: MOST_BYTES })
  return bytes ? parseEvidence(bytes) : []
}

/** As `readEvidence`, from the file's bytes. */
export async function parseEvidence(bytes: Uint8Array): Promise<EvidenceEntry[]> {
  const { value, faults, placeOf } = await parseYaml(bytes, EVIDENCE_PATH, MOST_BYTES)
  if (faults.length === 0 && value !== null && value !== undefined && !Array.isArray(value)) {
    faults.push({
      message: 'The file must be a list of entries, each beginning with `- control:`.',
      place: placeOf([], 'value'),
    })
  }
  const entries = faults.length === 0 ? ((value ?? []) as unknown[]) : []
  const read = entries.map((entry, index): EvidenceEntry => {
    const place = placeOf([String(index)], 'value')
    for (const { key, message } of findEntryFaults(entry)) {
      const known = key !== undefined && typeof entry === 'object' && entry !== null && Object.hasOwn(entry, key)
      faults.push({ message, place: known ? placeOf([String(index), key], 'value') : place })
    }
    return { ...(entry as EvidenceFields), line: place.line ?? 1 }
  })
  if (faults.length > 0) throw refuseConfig(faults, `Correct the named line of ${EVIDENCE_PATH}.`)
  return read
}

/**
 * Adds an entry, or replaces the one for the same control with the same file or URL. Comments and order of the file stay;
 * it is written in one step. CONFIG_INVALID, and nothing written, where the file that is there is not valid.
 */
export async function addEvidence(root: string, fields: EvidenceFields): Promise<'added' | 'replaced'> {
  const entries = await readEvidence(root)
  const at = entries.findIndex(
    ({ control, file, url }) => control === fields.control && file === fields.file && url === fields.url,
  )
  const { parseDocument, isSeq } = await import('yaml')
  const before = readSettings(root, EVIDENCE_PATH, { most: MOST_BYTES })?.toString('utf8')
  const document = parseDocument(before ?? '')
  if (before === undefined) document.commentBefore = HEADER
  if (!isSeq(document.contents)) document.contents = document.createNode([]) as unknown as typeof document.contents
  const list = document.contents as unknown as YAMLSeq
  // An empty list is written [], which would make a flow of what is added to it.
  list.flow = false
  put(document as Document, list, at, fields)
  const after = document.toString({ lineWidth: 0 })
  await parseEvidence(Buffer.from(after))
  writeProjectFile(root, EVIDENCE_PATH, before?.includes('\r\n') ? after.replace(/\r?\n/g, '\r\n') : after)
  return at < 0 ? 'added' : 'replaced'
}

function put(document: Document, list: YAMLSeq, at: number, fields: EvidenceFields): void {
  const ordered = EVIDENCE_KEYS.flatMap(key => (fields[key] === undefined ? [] : [[key, fields[key]] as const]))
  if (at < 0) {
    list.items.push(document.createNode(Object.fromEntries(ordered)))
    return
  }
  for (const key of EVIDENCE_KEYS) if (fields[key] === undefined) document.deleteIn([at, key])
  for (const [key, value] of ordered) document.setIn([at, key], value)
}
