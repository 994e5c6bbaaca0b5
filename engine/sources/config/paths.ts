/** Where a repository's baseline stands, relative to its root. */
export const BASELINE_PATH = '.svc/baseline.json'

/** Where a repository's file suppressions stand, relative to its root. */
export const SUPPRESSIONS_PATH = '.svc/suppressions.yaml'

/** Where the evidence that people vouch for is listed, relative to the repository's root. */
export const EVIDENCE_PATH = '.svc/evidence.yaml'

/** Where a folder's configuration stands, relative to the folder. */
export const CONFIG_PATH = '.svc/config.yaml'

/** What the root's configuration was called before; read where CONFIG_PATH is absent. */
export const LEGACY_PATH = '.guard.yaml'

/** Where a repository's policies can be, relative to its root; only one of them. */
export const POLICIES_PATHS = ['policies.yaml', '.svc/policies.yaml'] as const

/** Where a repository's architecture rules can be, relative to its root; the first that exists counts. */
export const ARCHITECTURE_PATHS = ['architecture.yaml', '.svc/architecture.yaml'] as const

/** Where a repository's own requirements can be, relative to its root. */
export const REQUIREMENTS_PATHS = ['requirements.yaml', '.svc/requirements.yaml'] as const
