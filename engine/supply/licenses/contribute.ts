import type { Context } from '../../base/context.ts'
import type { Finding } from '../../base/records/finding.ts'
import { computeFingerprint } from '../../base/records/fingerprint.ts'
import type { Contribution } from '../../findings/contribution.ts'
import type { Config } from '../../sources/config/load.ts'
import type { Inventory } from '../inventory/component.ts'
import { assessLicenses } from './assess.ts'
import { openLocalPackages } from './local/find.ts'
import { compileRules } from './overrides.ts'
import type { LicenseRecord } from './report.ts'

/** Dependencies that the license policy denies or wants reviewed, as findings; those whose license nobody knows are not evaluated. */
export function contributeLicenses(
  config: Config,
  inventory: Inventory,
  { env }: Pick<Context, 'env'>,
): Pick<Contribution, 'findings' | 'notEvaluated'> {
  const now = Date.now()
  const rules = compileRules(config.licenses, now)
  const findLocal = openLocalPackages(inventory, config.root, env)
  const { dependencies, unread_manifests } = assessLicenses(inventory, { rules, findLocal, answers: new Map(), now })
  const findings = dependencies.flatMap(one =>
    one.policy === 'denied' ? makeDenied(one) : one.policy === 'review' ? makeReview(one) : [],
  )
  const unknown = dependencies.filter(({ policy }) => policy === 'unknown')
  return {
    findings,
    notEvaluated: [
      ...unread_manifests.flatMap(({ file, state, detail }) =>
        state === 'failed' ? [{ rule_id: 'supply:licenses', file, reason: 'scanner_failed' as const, detail }] : [],
      ),
      ...(unknown.length === 0
        ? []
        : [
            {
              rule_id: 'supply:licenses',
              reason: 'scanner_not_run' as const,
              detail: `the license of ${unknown.length} dependencies is not known, so the license policy was not evaluated: ${unknown
                .slice(0, 3)
                .map(({ package: name }) => name)
                .join(', ')}; install the packages, or add them to licenses.overrides`,
            },
          ]),
    ],
  }
}

function nameOf({ package: name, version }: LicenseRecord): string {
  return `${name}${version === undefined ? '' : ` ${version}`}`
}

function makeDenied(one: LicenseRecord): Finding {
  const license = one.license ?? one.declared ?? 'an unknown license'
  const asks: Partial<Record<LicenseRecord['kind'], string>> = {
    'weak-copyleft': 'Changes to its files must be published under the same license.',
    'strong-copyleft': 'A product that contains it must be published under the same license.',
    'network-copyleft':
      'A product that contains it must be published under the same license, a service over a network too.',
    restricted: 'The license restricts what the package may be used for.',
    proprietary: 'The package may not be used without a contract.',
  }
  return makeFinding(one, 'supply:license-denied', 'high', {
    title: `Denied license: ${nameOf(one)} (${license})`,
    message: `licenses.policy does not allow ${license}. ${asks[one.kind] ?? ''}`.trim(),
    remediation: `Replace ${one.package}, or record the agreement in licenses.overrides with a reason.`,
  })
}

function makeReview(one: LicenseRecord): Finding {
  const license = one.license ?? one.declared ?? 'unknown'
  return makeFinding(one, 'supply:license-review', 'medium', {
    title: `License needs review: ${nameOf(one)} (${license})`,
    message: `licenses.policy wants a person to review dependencies with ${license}.`,
    remediation:
      'Review the use of the package; then record the decision in licenses.overrides, or suppress the finding with a reason.',
  })
}

function makeFinding(
  one: LicenseRecord,
  rule: string,
  severity: 'high' | 'medium',
  texts: Pick<Finding, 'title' | 'message' | 'remediation'>,
): Finding {
  const place = one.locations[0] ?? { file: '.' }
  const line = place.line ?? 1
  const what = `${one.package}@${one.version ?? ''} ${one.license ?? one.declared ?? ''}`
  const fingerprint = computeFingerprint(rule, place.file, what, 0)
  return {
    ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id: rule, pack_id: 'supply' },
    ...texts,
    ...{ severity, base_severity: severity, category: 'license', language: 'text' },
    ...{ tags: [one.ecosystem, one.scope, one.kind], cwe: [], controls: [] },
    ...{ file: place.file, line, column: 1, end_line: line, end_column: 1, snippet: what.trim() },
    ...{ confidence: 1, deterministic: true, is_obligation: false, in_test: false, status: 'open' },
  }
}
