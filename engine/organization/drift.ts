import type { Finding } from '../base/records/finding.ts'
import { computeFingerprint } from '../base/records/fingerprint.ts'
import { compileGlob } from '../base/text/glob.ts'
import { ORGANIZATION_PACK } from '../findings/organization-findings.ts'
import { findConfigWeakenings } from '../gate/change/config-diff.ts'
import type { Config } from '../sources/config/load.ts'
import { getValue, isTree, setKeyIn, type Tree } from '../sources/config/merge.ts'
import { CONFIG_PATH } from '../sources/config/paths.ts'
import type { OrganizationPolicy, Relaxation } from './policy.ts'

/**
 * Where the settings in force are weaker than the organization's, by the same measures as a change of settings: the root's, and those of each
 * directory with a file of its own. A relaxation that holds on the day takes its keys out; one that has expired does not, and the message says so.
 */
export function findDrift(policy: OrganizationPolicy, config: Config, project: string, today: string): Finding[] {
  const own = policy.relax.filter(({ project: glob }) => compileGlob(glob)(project))
  const places: [file: string, settings: Tree][] = [
    [CONFIG_PATH, config as unknown as Tree],
    ...[...config.folders].map(
      ([folder, settings]) => [`${folder}/${CONFIG_PATH}`, settings as unknown as Tree] as [string, Tree],
    ),
  ]
  return places.flatMap(([file, settings]) => {
    const found = findConfigWeakenings(file, policy.config, pick(settings, policy.config), () => 1)
    return found.flatMap(({ what }) => {
      const key = what.slice(0, what.indexOf(' '))
      const relaxed = own.filter(({ keys }) => keys.some(each => key === each || key.startsWith(`${each}.`)))
      if (relaxed.some(({ expires }) => expires >= today)) return []
      return [toFinding(file, key, what, policy.name, relaxed.at(-1))]
    })
  })
}

/** Of the settings, the keys that the policy sets: what it leaves out is the repository's own. */
function pick(settings: Tree, policy: Tree, above: readonly string[] = []): Tree {
  let picked: Tree = {}
  for (const [name, value] of Object.entries(policy)) {
    const path = [...above, name]
    if (isTree(value) && Object.keys(value).length > 0) {
      const below = getValue(settings, [name])
      picked = { ...picked, [name]: pick(isTree(below) ? below : {}, value, path) }
    } else {
      const own = getValue(settings, [name])
      if (own !== undefined) picked = setKeyIn(picked, [name], own)
    }
  }
  return picked
}

function toFinding(file: string, key: string, what: string, policy: string, expired: Relaxation | undefined): Finding {
  const rule_id = `${ORGANIZATION_PACK}:drift`
  const fingerprint = computeFingerprint(rule_id, file, key, 0)
  const late = expired ? ` The relaxation that ${expired.approved_by} approved expired on ${expired.expires}.` : ''
  return {
    ...{ id: `F-${fingerprint.slice(0, 12)}`, fingerprint, rule_id, pack_id: ORGANIZATION_PACK },
    title: `Configuration weaker than the organization's policy: ${key}`,
    message: `Findings that the organization's policy reports can be missed here: ${what}.${late}`,
    remediation: `Set ${key} at least as strict as in ${policy}, or have an owner of the policy add a relaxation with a reason and an expiry date.`,
    ...{
      severity: 'high',
      base_severity: 'high',
      category: 'policy',
      language: 'yaml',
      tags: [],
      cwe: [],
      controls: [],
    },
    ...{ file, line: 1, column: 1, end_line: 1, end_column: 1, snippet: '' },
    ...{ confidence: 1, deterministic: true, is_obligation: false, in_test: false, status: 'open' },
  }
}
