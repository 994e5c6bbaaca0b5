import { isAttributesFile } from '../repository/attributes.ts'
import {
  ARCHITECTURE_PATHS,
  BASELINE_PATH,
  CONFIG_PATH,
  EVIDENCE_PATH,
  LEGACY_PATH,
  POLICIES_PATHS,
  SUPPRESSIONS_PATH,
} from './paths.ts'

/** Files at the root that decide what a scan finds and what becomes of it, or which controls count as met. */
export const SETTINGS_FILES = [CONFIG_PATH, LEGACY_PATH, SUPPRESSIONS_PATH, BASELINE_PATH, EVIDENCE_PATH]
/** Directories of such files. */
export const SETTINGS_FOLDERS = ['.svc/packs', '.svc/rules', '.svc/libraries']

/** Files of rules about the repository as a whole; a change is judged by what it does to them, and not by them. */
export const RULE_FILES: readonly string[] = [...POLICIES_PATHS, ...ARCHITECTURE_PATHS]

/** Whether a file of this path decides what a scan finds, what becomes of it, or which files are scanned. */
export function isSettingsPath(path: string): boolean {
  // The directory itself is an entry of git's where it is a link or a submodule.
  if (
    path === '.svc' ||
    path.endsWith('/.svc') ||
    SETTINGS_FILES.includes(path) ||
    RULE_FILES.includes(path) ||
    isAttributesFile(path)
  )
    return true
  return (
    path.endsWith(`/${CONFIG_PATH}`) ||
    SETTINGS_FOLDERS.some(folder => path === folder || path.startsWith(`${folder}/`))
  )
}
