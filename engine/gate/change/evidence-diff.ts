import { createHash } from 'node:crypto'
import { EVIDENCE_KEYS, type EvidenceEntry } from '../../assure/evidence/entry.ts'
import { parseEvidence } from '../../assure/evidence/file.ts'
import { formatCount } from '../../base/text/words.ts'
import { EVIDENCE_PATH } from '../../sources/config/paths.ts'
import type { Weakening } from './policy-rules.ts'

/** Entries that are a finding each; of more there is one, which counts them. */
const MOST_ENTRIES = 100

/** Each entry of evidence that was not there in the same words: what a person vouches for takes another one's look. */
export async function findEvidenceWeakenings(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Promise<Weakening[]> {
  if (after === undefined) return []
  const known = new Set((before === undefined ? [] : await parseEvidence(before)).map(wordEntry))
  const added = (await parseEvidence(after)).filter(entry => !known.has(wordEntry(entry)))
  const made = (line: number, what: string): Weakening => ({
    ...{ rule_id: 'gate-evidence-added', file: EVIDENCE_PATH, line, what },
  })
  if (added.length > MOST_ENTRIES)
    return [made(added[0]!.line, `${formatCount(added.length, 'entry', 'entries')} added [${digestOf(added)}]`)]
  return added.map(entry => {
    const { control, title, file, url, owner } = entry
    return made(entry.line, `${control}: ${title} (${file ?? url}), ${owner} in its own words [${digestOf([entry])}]`)
  })
}

function wordEntry(entry: EvidenceEntry): string {
  return JSON.stringify(EVIDENCE_KEYS.map(key => entry[key] ?? null))
}

/** Which entries they are has its part in what is agreed to, though not all of them is shown. */
function digestOf(entries: readonly EvidenceEntry[]): string {
  return createHash('sha256').update(entries.map(wordEntry).join('\n')).digest('hex').slice(0, 12)
}
