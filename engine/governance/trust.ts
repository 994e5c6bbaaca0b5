import { EngineError } from '../base/errors.ts'
import { findNearest } from '../base/text/nearest.ts'
import { TRUST_LEVELS, type TrustLevel } from '../sources/config/values.ts'

/** What an action needs: a trust level, and the scope that a credential or a grant must have for it. */
interface Need {
  trust: TrustLevel
  scope: string
}

/** Every action that is known (spec "Trust level"; decisions "Governance"). */
export const ACTIONS = {
  read_findings: { trust: 'read', scope: 'findings:read' },
  read_audit: { trust: 'read', scope: 'findings:read' },
  read_metrics: { trust: 'read', scope: 'findings:read' },
  run_scan: { trust: 'scan', scope: 'scan' },
  run_gate: { trust: 'scan', scope: 'scan' },
  auto_fix_info: { trust: 'fix:low', scope: 'fix:write' },
  auto_fix_low: { trust: 'fix:low', scope: 'fix:write' },
  auto_fix_medium: { trust: 'fix:any', scope: 'fix:write' },
  auto_fix_high: { trust: 'fix:any', scope: 'fix:write' },
  auto_fix_critical: { trust: 'fix:any', scope: 'fix:write' },
  add_dependency: { trust: 'fix:any', scope: 'fix:write' },
  create_pr: { trust: 'fix:any', scope: 'fix:write' },
  edit_config: { trust: 'admin', scope: 'config:write' },
  manage_packs: { trust: 'admin', scope: 'config:write' },
  grant_scope: { trust: 'admin', scope: '*' },
  resolve_approval: { trust: 'admin', scope: '*' },
} as const satisfies Record<GuardedAction, Need>

export type Action = GuardedAction

/** The scopes that a credential has where none are named: all that the default trust level can use. */
export const DEFAULT_SCOPES: readonly string[] = ['scan', 'findings:read', 'packs:read', 'fix:write']

/** 0 for none … 5 for admin. */
export function trustRank(level: TrustLevel): number {
  return TRUST_LEVELS.indexOf(level)
}

/** The lowest of some levels. */
export function findLowest(...levels: TrustLevel[]): TrustLevel {
  return levels.reduce((low, level) => (trustRank(level) < trustRank(low) ? level : low))
}

/** Whether a level allows an action. */
export function trustAllows(level: TrustLevel, action: Action): boolean {
  return trustRank(level) >= trustRank(ACTIONS[action].trust)
}

/** Whether a list of scopes has this one; `*` has all. */
export function covers(scopes: readonly string[], scope: string): boolean {
  return scopes.includes('*') || scopes.includes(scope)
}

/** What to tell somebody who names a scope that no action needs, which is mistyped or of no use; undefined where one does. */
export function doubtScope(scope: string): string | undefined {
  const known = [...new Set(['*', ...Object.values(ACTIONS).map(need => need.scope)])]
  if (known.includes(scope)) return undefined
  const meant = findNearest(scope, known)
  return `No action needs the scope ${JSON.stringify(scope)}${meant ? `; did you mean ${meant}?` : `. Known: ${known.join(', ')}.`}`
}

/** The action of this name; INPUT_INVALID lists the known ones. */
export function getActionNamed(name: string): Action {
  if (Object.hasOwn(ACTIONS, name)) return name as Action
  const known = Object.keys(ACTIONS)
  const meant = findNearest(name, known)
  throw new EngineError(
    'INPUT_INVALID',
    `${JSON.stringify(name)} is not an action${meant ? `; did you mean ${meant}?` : '.'}`,
    {
      hint: `The actions are ${known.join(', ')}.`,
    },
  )
}

/** Actions that trust is asked for; engine/governance/trust.ts says what each takes. */
export type GuardedAction =
  | 'read_findings'
  | 'read_audit'
  | 'read_metrics'
  | 'run_scan'
  | 'run_gate'
  | 'auto_fix_info'
  | 'auto_fix_low'
  | 'auto_fix_medium'
  | 'auto_fix_high'
  | 'auto_fix_critical'
  | 'add_dependency'
  | 'create_pr'
  | 'edit_config'
  | 'manage_packs'
  | 'grant_scope'
  | 'resolve_approval'
