import { canonical } from '../../base/text/canonical.ts'
import { parseObject } from '../../base/text/json-object.ts'
import type { Keyring } from '../../sources/state/key.ts'
import { checkIntegrity } from '../../sources/state/seal.ts'
import type { Evidence } from './collect.ts'
import { renderEvidence } from './html.ts'

/** What a report is worth. */
export type Verdict = 'valid' | 'ALTERED' | 'no key here'

/** Verifies a report, JSON or HTML: its signature, and of a page that it shows what its data says, byte for byte. */
export function verifyReport(
  content: string,
  { known }: Pick<Keyring, 'known'>,
): { verdict: Verdict; reason: string; evidence?: Evidence } {
  const isPage = /^\s*</.test(content)
  const data = isPage
    ? /<script type="application\/json" id="svc-harness-report">([\s\S]*?)<\/script>/.exec(content)?.[1]
    : content
  const signed = parseObject(data ?? '')
  if (!signed) return { verdict: 'ALTERED', reason: 'it contains no report' }
  // However it was laid out: what is signed is the canonical form.
  const text = canonical(signed)
  const integrity = checkIntegrity(text, known)
  if (integrity === 'unknown_key')
    return { verdict: 'no key here', reason: 'it was signed with a key that is not here' }
  if (integrity === 'broken') return { verdict: 'ALTERED', reason: 'its signature is not valid' }
  const { _integrity: _, ...evidence } = signed
  if (evidence.type !== 'svc-harness-report')
    return { verdict: 'ALTERED', reason: 'what is signed is no harness report' }
  if (isPage && renderEvidence(evidence as unknown as Evidence, text) !== content)
    return {
      verdict: 'ALTERED',
      reason: 'the page does not match its signed data, or another version of svc wrote it',
    }
  return { verdict: 'valid', reason: 'the signature is valid', evidence: evidence as unknown as Evidence }
}
