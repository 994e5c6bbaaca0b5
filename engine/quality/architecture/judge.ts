import { readSource } from '../../base/disk/read.ts'
import type { Finding } from '../../base/records/finding.ts'
import type { Listing } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { findInlineSuppressions } from '../../detect/rules/inline.ts'
import { applyBaseline } from '../../findings/baseline.ts'
import { readBaseline } from '../../findings/baseline-file.ts'
import { applySuppressions, type FileIgnores } from '../../findings/suppression.ts'
import { readSuppressions } from '../../findings/suppression-file.ts'

export interface JudgeOptions {
  /** The repository's root, where baseline and suppressions are. */
  root: string
  listing: Listing
  maxBytes: number
  /** ISO 8601 date. */
  today: string
}

/**
 * The findings with the status that a scan would give them: suppressed by a comment or by .svc/suppressions.yaml, in the baseline, or open. Without
 * a baseline file all are open: none is ever made here.
 */
export async function judgeFindings(findings: readonly Finding[], options: JudgeOptions): Promise<Finding[]> {
  const { root, listing, maxBytes, today } = options
  const entries = await readSuppressions(root)
  const suppressed = applySuppressions(findings, readIgnores(findings, listing, maxBytes), entries, {
    today,
    whole: false,
  })
  const baseline = readBaseline(root)
  if (!baseline) return suppressed.findings
  const view = { former: new Map(), looked: () => false, whole: false, isRule: () => true }
  return applyBaseline(suppressed.findings, baseline, view).findings
}

function readIgnores(
  findings: readonly Finding[],
  { root, files }: Listing,
  maxBytes: number,
): Map<string, FileIgnores> {
  const wanted = new Set(findings.map(({ file }) => file))
  const ignores = new Map<string, FileIgnores>()
  for (const file of files) {
    if (!wanted.has(file.path)) continue
    const bytes = readSource(root, file, maxBytes)
    const decoded = bytes instanceof Uint8Array ? decode(bytes, file.encoding) : undefined
    if (!decoded || !('text' in decoded)) continue
    const found = findInlineSuppressions(file.language ?? 'text', decoded.text)
    if (found.length > 0) ignores.set(file.path, { ignores: found })
  }
  return ignores
}
