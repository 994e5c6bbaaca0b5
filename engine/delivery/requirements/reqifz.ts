import { type Bounds, readEntries } from '../../detect/archive/entries.ts'
import type { RequirementFile, RequirementReader } from './model.ts'
import { readReqif } from './reqif.ts'

/** What an archive of documents may cost. */
const BOUNDS: Bounds = { entries: 2000, bytes: 128 << 20, entry_bytes: 32 << 20, ratio: 200, time_ms: 20_000 }

/**
 * Reads a ReqIF archive (`.reqifz`, a ZIP): all `.reqif` documents in it, by their names; attachments are left alone. The text has a character for
 * each byte. An archive that is damaged, encrypted, or passes a bound is a fault: what is not read could have requirements.
 */
export const readReqifArchive: RequirementReader = async (text, file) => {
  const into: RequirementFile = { requirements: [], faults: [] }
  const refuse = (message: string): RequirementFile => ({
    requirements: [],
    faults: [{ kind: 'invalid', file, line: 1, message }],
  })
  const documents: { path: string; bytes: Uint8Array }[] = []
  try {
    const archive = Buffer.from(text, 'latin1')
    const left = await readEntries(archive, { kind: 'zip', name: file }, BOUNDS, entry => {
      if (/\.(?:reqif|xml)$/i.test(entry.path)) documents.push(entry)
    })
    if (left.stopped !== undefined) return refuse(`The archive was not read to its end: ${left.stopped}.`)
    if (left.encrypted > 0) return refuse('The archive is encrypted.')
    if (left.large > 0) return refuse(`A file in the archive is larger than ${BOUNDS.entry_bytes} bytes.`)
  } catch (error) {
    return refuse(`The archive cannot be read (${String((error as Error).message).slice(0, 200)}).`)
  }
  if (documents.length === 0) return refuse('The archive has no ReqIF document.')
  for (const { path, bytes } of documents.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const read = await readReqif(new TextDecoder().decode(bytes), file)
    into.requirements.push(...read.requirements)
    into.faults.push(...read.faults.map(fault => ({ ...fault, message: `${path}: ${fault.message}` })))
  }
  return into
}
