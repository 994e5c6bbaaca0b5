import { basename } from 'node:path'
import type { Context } from '../../base/context.ts'
import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { VULNERABILITIES_RULE as ALL, VULNERABLE_DEPENDENCY } from '../../base/records/vulnerable-components.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Contribution } from '../../findings/contribution.ts'
import type { Config } from '../../sources/config/load.ts'
import type { Inventory } from '../inventory/component.ts'
import { readVulnIgnores } from './ignores.ts'
import { readVexFiles } from './perform.ts'
import type { Vulnerability } from './vulnerability.ts'

const NO_DATABASE =
  "Vulnerabilities of dependencies are not known: no advisory database is configured. Set vulns.database to a directory of OSV's exports and run `svc vulns --update-db`; `svc vulns` asks the OSV API."

/** What a scan says where no advisory database is configured: nothing is known of the packages that the manifests name, if they name any. */
export async function reportNoDatabase(
  root: string,
  manifests: SourceFile[],
  signal: AbortSignal,
): Promise<NotEvaluated[]> {
  const { findFirstPackage } = await import('../inventory/any.ts')
  const isThere = await findFirstPackage({ root, files: manifests }, signal)
  return isThere ? [{ rule_id: ALL, reason: 'no_data', detail: NO_DATABASE }] : []
}

/** The vulnerabilities of an inventory's components as findings, at the line that names the package. */
export async function contributeVulnerabilities(
  config: Config,
  inventory: Inventory,
  { cwd, env }: Pick<Context, 'cwd' | 'env'>,
): Promise<Contribution> {
  const { assessInventory, selectSubjects } = await import('./assess.ts')
  const selected = selectSubjects(inventory.components)
  const { gatherAtHand } = await import('./source.ts')
  const gathered = await gatherAtHand(
    config,
    selected.subjects.map(({ query }) => query),
    { cwd, env },
  )
  if (!gathered) {
    const detail =
      'The advisory database is not indexed, or has changed since: run `svc vulns` or `svc vulns --update-db`.'
    return { findings: [], notEvaluated: [{ rule_id: ALL, reason: 'scanner_not_run', detail }], notices: [] }
  }
  try {
    const { report } = await assessInventory(inventory, selected, gathered, {
      ignores: await readVulnIgnores(config.root),
      vex: readVexFiles(config.root, [], cwd),
      now: Date.now(),
      names: [basename(config.root)],
    })
    const { faults } = report.source
    const notEvaluated: NotEvaluated[] = [
      ...faults.slice(0, 1).map(fault => ({
        rule_id: ALL,
        reason: 'scanner_failed' as const,
        detail: `${faults.length} parts of the advisory database cannot be read, first: ${fault}`,
      })),
      ...report.unread_manifests.flatMap(({ file, state, detail }) =>
        state === 'failed' || state === 'unsupported'
          ? [
              {
                rule_id: ALL,
                file,
                reason: state === 'failed' ? ('scanner_failed' as const) : ('no_data' as const),
                detail,
              },
            ]
          : [],
      ),
      // What the database should have and has not fails the gate; what no database can tell is counted.
      ...report.not_evaluated.map(({ reason, count, detail, packages }) => ({
        rule_id: ALL,
        reason:
          reason === 'no_data' || reason === 'source_failed' ? ('scanner_not_run' as const) : ('no_data' as const),
        detail: `${formatCount(count, 'dependency', 'dependencies')}: ${detail} (${packages.slice(0, 3).join(', ')})`,
      })),
    ]
    const open = report.vulnerabilities.filter(({ status }) => status === 'open')
    return { findings: open.map(makeFinding), notEvaluated, notices: [] }
  } finally {
    gathered.close()
  }
}

/** A severity that is not known counts as high: unknown is never safe. */
function makeFinding(one: Vulnerability): Finding {
  const rule = `supply:${one.id.toLowerCase()}`
  const place = one.locations[0] ?? { file: '.' }
  const line = place.line ?? 1
  const severity = one.severity === 'unknown' ? 'high' : one.severity
  const fingerprint = computeFingerprint(rule, place.file, `${one.package}@${one.version}`, 0)
  const fix = one.fixed_versions[0]
  const path = one.paths[0]
  const cve = one.aliases.find(alias => alias.startsWith('CVE-'))
  return {
    ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id: rule, pack_id: 'supply' },
    title: `Vulnerable dependency: ${one.package} ${one.version} (${cve ?? one.id})`,
    message: `${one.summary || `${one.id} affects this version.`}${path && path.length > 2 ? ` Path: ${path.join(' > ')}.` : ''}${one.severity === 'unknown' ? ' The advisory has no severity.' : ''}`,
    remediation:
      fix === undefined
        ? 'No fixed version is known: replace the package, or accept it in .svc/vuln-ignores.yaml.'
        : `Update ${one.package} to ${fix} or newer: \`svc vulns --fix-preview\` shows the change.`,
    ...{ severity, base_severity: severity, category: 'dependency', language: 'text' },
    ...{ tags: [one.ecosystem, one.scope], cwe: [...new Set([...one.cwe, VULNERABLE_DEPENDENCY])], controls: [] },
    ...{ file: place.file, line, column: 1, end_line: line, end_column: 1, snippet: `${one.package}@${one.version}` },
    ...{ confidence: 1, deterministic: true, is_obligation: false, in_test: false, status: 'open' },
  }
}
