import type { SettingsKind } from '../../detect/constants/settings.ts'

/** Where settings of a program stand, by usual names; files that show what to set are none. */
const KINDS: readonly { kind: SettingsKind; name: RegExp }[] = [
  { kind: 'properties', name: /\.properties$/i },
  { kind: 'dotenv', name: /(?:^|\/)\.env(?:\.[\w-]+)?$|\.env$/ },
  {
    kind: 'yaml',
    name: /(?:^|\/)(?:application|bootstrap|config|settings|default|production)[\w.-]*\.ya?ml$|(?:^|\/)(?:config|conf|settings|resources)\/[^/]+\.ya?ml$/i,
  },
]

const SHOWN = /(?:^|[./_-])(?:examples?|samples?|templates?|dist|defaults|tests?|testing)(?:[./_-]|$)/i

/** The kind of a file of settings by its path; undefined for any other file. */
export function findSettingsKind(path: string): SettingsKind | undefined {
  if (SHOWN.test(path)) return undefined
  return KINDS.find(({ name }) => name.test(path))?.kind
}

/** Files that make a directory a project of its own. */
const MANIFEST =
  /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?|package\.json|pyproject\.toml|setup\.py|go\.mod|Gemfile|composer\.json|[^/]+\.csproj)$/

/** Whether the path is that of a manifest. */
export function isManifest(path: string): boolean {
  return MANIFEST.test(path)
}

/** Whether a path is one of a module of Terraform: its code, or a file that sets its variables in every run. */
export function isModuleFile(path: string): boolean {
  return /\.tf$|(?:^|\/)terraform\.tfvars$|\.auto\.tfvars$/.test(path)
}
