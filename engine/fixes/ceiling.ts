import type { Config } from '../config/load.ts'
import { type Severity, severityRank } from '../finding.ts'

/** The gravest severity that is patched without a human, for a file's configuration; `none` where every patch needs one. */
export function patchCeiling(config: Pick<Config, 'for'>, file: string): Severity | 'none' {
  return config.for(file).governance.human_review_required.on_auto_patch_above
}

/** Whether a patch of a finding of this severity needs a human. */
export function isAboveCeiling(severity: Severity, ceiling: Severity | 'none'): boolean {
  return ceiling === 'none' || severityRank(severity) < severityRank(ceiling)
}
