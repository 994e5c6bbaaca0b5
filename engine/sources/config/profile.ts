import type { ConfigFile } from './schema.ts'
import type { Profile } from './values.ts'

/**
 * The defaults that a named profile puts in place of the schema's (decisions "Gate"). A key that is written in a
 * configuration file beats them. Governance layers stay off until their own `enabled` is set.
 */
export const PROFILE_DEFAULTS: Record<Profile, ConfigFile> = {
  strict: {
    gate: { fail_on: ['critical', 'high', 'medium'] },
    governance: {
      human_review_required: {
        on_critical_finding: true,
        on_auto_patch_above: 'none',
        on_config_change: true,
        on_dependency_add: true,
      },
    },
  },
  standard: {
    gate: { fail_on: ['critical', 'high'] },
    governance: { human_review_required: { on_critical_finding: true, on_auto_patch_above: 'low' } },
  },
  permissive: {
    gate: { fail_on: ['critical'] },
    governance: { human_review_required: { on_auto_patch_above: 'medium' } },
  },
}
