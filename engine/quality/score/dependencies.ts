import { join } from 'node:path'
import { readOwn } from '../../base/disk/own-folder.ts'

/** What the last runs of `svc vulns` and `svc licenses` say of dependencies; a part that is absent has no data. */
export interface DependencyHealth {
  vulnerabilities?: {
    critical: number
    high: number
    medium: number
    low: number
    evaluated: number
    total: number
    at: string
  }
  licenses?: { high: number; medium: number; total: number; at: string }
}

type Fields = Record<string, unknown>

/** Reads the results in the output directory. A file that is missing, or is no result, is no data. STORE_UNREADABLE for one that cannot be read. */
export function readDependencyHealth(out: string): DependencyHealth {
  const vulnerabilities = readVulnerabilities(readFields(join(out, 'vulnerabilities.json')))
  const licenses = readLicenses(readFields(join(out, 'licenses.json')))
  return { ...(vulnerabilities && { vulnerabilities }), ...(licenses && { licenses }) }
}

function readFields(path: string): Fields | undefined {
  const text = readOwn(path)?.toString('utf8') ?? 'null'
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0

/** Nothing was compared with advisories, or something failed: then nobody knows. */
function readVulnerabilities(report: Fields | undefined): DependencyHealth['vulnerabilities'] {
  const counts = report?.by_severity as Fields | undefined
  const { evaluated, total_dependencies: total, generated_at: at } = report ?? {}
  if (!isCount(evaluated) || !isCount(total) || evaluated === 0 || typeof counts !== 'object' || counts === null)
    return undefined
  const [critical, high, medium, low, unknown] = ['critical', 'high', 'medium', 'low', 'unknown'].map(
    key => counts[key] ?? 0,
  )
  if (![critical, high, medium, low, unknown].every(isCount)) return undefined
  const known = { critical, high, medium, low } as Record<'critical' | 'high' | 'medium' | 'low', number>
  // A severity that is not known may be any: it counts as high, as in the gate.
  return { ...known, high: known.high + (unknown as number), evaluated, total, at: String(at) }
}

function readLicenses(report: Fields | undefined): DependencyHealth['licenses'] {
  const risks = report?.by_risk as Fields | undefined
  const { total_dependencies: total, generated_at: at } = report ?? {}
  if (!isCount(total) || total === 0 || !isCount(risks?.high) || !isCount(risks?.medium)) return undefined
  return { high: risks.high, medium: risks.medium, total, at: String(at) }
}

/** What was read, in a sentence. */
export function describeDependencies({ vulnerabilities, licenses }: DependencyHealth): string {
  if (!vulnerabilities && !licenses) return 'no data: dependencies have not been analyzed (svc vulns, svc licenses)'
  const day = (at: string) => at.slice(0, 10)
  return [
    vulnerabilities
      ? `vulnerabilities of ${day(vulnerabilities.at)}: ${vulnerabilities.evaluated} of ${vulnerabilities.total} dependencies evaluated`
      : 'vulnerabilities: no data (svc vulns)',
    licenses ? `licenses of ${day(licenses.at)}: ${licenses.total} dependencies` : 'licenses: no data (svc licenses)',
    'outdated dependencies are not evaluated',
  ].join('; ')
}
