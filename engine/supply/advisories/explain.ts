import type { Context } from '../../base/context.ts'
import type { Severity } from '../../base/records/finding.ts'
import { loadConfig } from '../../sources/config/load.ts'
import type { Advisory } from './advisory.ts'
import { openIndex } from './index-open.ts'
import { locateDatabase, locateIndex } from './locations.ts'
import { loadCalculator, rateAdvisories } from './severity.ts'

/** What there is to say of a rule that an advisory is. */
export interface ExplainedAdvisory {
  title: string
  message: string
  severity: Severity
  cwe: string[]
  remediation: string
  references: string[]
}

/** Explains the rule of a vulnerable dependency, `supply:<id of the advisory>`: by the configured database where it is indexed and has the id, else in general. */
export async function explainAdvisory(
  rule_id: string,
  { cwd, env }: Pick<Context, 'cwd' | 'env'>,
): Promise<ExplainedAdvisory> {
  const id = rule_id.slice(rule_id.indexOf(':') + 1)
  const config = await loadConfig(cwd, { env })
  const database = locateDatabase(config, {}, cwd)
  const index = database === undefined ? undefined : await openIndex(locateIndex(database, env))
  try {
    const advisory = index?.findById(id)
    return advisory ? await describe(advisory) : describeUnknown(id, database !== undefined)
  } finally {
    index?.close()
  }
}

async function describe(advisory: Advisory): Promise<ExplainedAdvisory> {
  const { severity } = rateAdvisories([advisory], advisory.affected, await loadCalculator())
  const packages = [...new Set(advisory.affected.map(({ ecosystem, name }) => `${name} (${ecosystem})`))]
  const cve = advisory.aliases.find(alias => alias.startsWith('CVE-'))
  const title = `Vulnerable dependency: ${packages.slice(0, 3).join(', ')}${packages.length > 3 ? ', …' : ''}`
  return {
    title: `${title} (${cve ?? advisory.id})`,
    message: advisory.summary || `${advisory.id} affects versions of ${packages[0]}.`,
    severity: severity === 'unknown' ? 'high' : severity,
    cwe: advisory.cwe,
    remediation: FIX,
    references: advisory.references,
  }
}

const FIX =
  'Update the package to a fixed version: `svc vulns --fix-preview` shows the change. Where it cannot be updated, accept it with a reason in .svc/vuln-ignores.yaml.'

function describeUnknown(id: string, hasDatabase: boolean): ExplainedAdvisory {
  const isWhole = id === 'vulnerabilities' || id === '*'
  return {
    title: isWhole ? 'Vulnerabilities of dependencies were not evaluated' : `Vulnerable dependency: ${id}`,
    message: isWhole
      ? 'A dependency may have a known vulnerability that nothing was compared with.'
      : `An advisory of this id affects a dependency. ${hasDatabase ? 'The advisory database does not have it' : 'No advisory database is configured'}, so nothing more is known here.`,
    severity: 'high',
    cwe: [],
    remediation: isWhole ? "Set vulns.database to a directory of OSV's exports, and run `svc vulns --update-db`." : FIX,
    references: [],
  }
}
