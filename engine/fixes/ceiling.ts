import { rankSeverity, type Severity } from '../base/records/finding.ts'
import { type Config, loadConfig } from '../sources/config/load.ts'
import { CONFIG_PATH } from '../sources/config/paths.ts'

/** The repository's configuration with that of every folder above these files. */
export function loadConfigAbove(
  root: string,
  files: Iterable<string>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Config> {
  const candidates = new Set<string>()
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      candidates.add(`${file.slice(0, end)}/${CONFIG_PATH}`)
    }
  }
  return loadConfig(root, { env, files: candidates })
}

/** The gravest severity that is patched without a human in a file; `none` where every patch needs one. */
export function findPatchCeiling(config: Pick<Config, 'for'>, file: string): Severity | 'none' {
  return config.for(file).governance.human_review_required.on_auto_patch_above
}

/** Whether a patch of a finding of this severity needs a human. */
export function isAboveCeiling(severity: Severity, ceiling: Severity | 'none'): boolean {
  return ceiling === 'none' || rankSeverity(severity) < rankSeverity(ceiling)
}
