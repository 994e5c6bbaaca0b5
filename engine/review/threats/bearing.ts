import type { Finding } from '../../base/records/finding.ts'
import { STRIDE, type Stride, type Threat } from './model.ts'
import { listCategories, listWeaknesses } from './stride-weaknesses.ts'

/** An open finding of the last scan that makes a category of STRIDE real. */
export interface BearingFinding {
  fingerprint: string
  rule_id: string
  title: string
  severity: string
  file: string
  line: number
  cwe: string[]
  stride: Stride[]
  /** Ids of the threats that it bears on; none where it lies in no element of the model. */
  threats: string[]
}

/** A category of STRIDE with what is known of it. */
export interface StrideSummary {
  stride: Stride
  threats: number
  pending: number
  /** Open findings with a weakness of the category; null without a scan: unknown, not none. */
  findings: number | null
  /** Weaknesses of CWE that make the category real. */
  cwe: string[]
}

const SEVERITY = ['critical', 'high', 'medium', 'low', 'info']
/** Findings listed; all are counted. */
const MOST = 500

/** The findings that bear on any category, the most severe first. */
export function listBearing(findings: readonly Finding[], threats: readonly Threat[]): BearingFinding[] {
  const byFingerprint = new Map<string, string[]>()
  for (const { id, findings: own } of threats)
    for (const each of own) byFingerprint.set(each, [...(byFingerprint.get(each) ?? []), id])
  return findings
    .flatMap(({ fingerprint, rule_id, title, severity, file, line, cwe = [] }): BearingFinding[] => {
      const stride = listCategories(cwe)
      if (stride.length === 0) return []
      return [
        {
          ...{ fingerprint, rule_id, title, severity, file, line, cwe, stride },
          threats: byFingerprint.get(fingerprint) ?? [],
        },
      ]
    })
    .sort(
      (a, b) =>
        SEVERITY.indexOf(a.severity) - SEVERITY.indexOf(b.severity) ||
        (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
    )
    .slice(0, MOST)
}

/** The number of open findings of each category. */
export function countFindings(findings: readonly Pick<Finding, 'cwe'>[]): Record<Stride, number> {
  const counts = Object.fromEntries(STRIDE.map(stride => [stride, 0])) as Record<Stride, number>
  for (const { cwe } of findings) for (const stride of listCategories(cwe ?? [])) counts[stride]++
  return counts
}

/** Each category with its threats, findings and weaknesses; without counts the findings are unknown. */
export function summarizeStride(
  threats: readonly Pick<Threat, 'stride' | 'status'>[],
  counts: Readonly<Record<Stride, number>> | undefined,
): StrideSummary[] {
  return STRIDE.map(stride => {
    const own = threats.filter(each => each.stride === stride)
    const pending = own.filter(({ status }) => status === 'pending').length
    return { stride, threats: own.length, pending, findings: counts?.[stride] ?? null, cwe: listWeaknesses(stride) }
  })
}
