import type { Enforcement } from '../sources/config/values.ts'
import { BUILT_IN_ZONES } from './built-in-zones.ts'
import { makeScope, type Scope } from './paths.ts'
import type { Governance } from './policy.ts'

/** Files that are dangerous to touch, and what happens on access. */
export interface Zone {
  name: string
  patterns: readonly string[]
  enforcement: Enforcement
}

/** A path that lies in a zone. */
export interface ZoneHit {
  path: string
  zone: string
  enforcement: Enforcement
}

/** What happens on access, sternest first: where zones overlap the sternest holds. */
export const STERNEST_FIRST = ['block', 'hitl', 'warn'] as const satisfies readonly Enforcement[]

/**
 * What needs admin, whatever the zones say, since it weakens how work is judged: svc's own settings with baseline and
 * suppressions, git's hooks and attributes, owners of code, CI workflows, settings of agents.
 */
const PROTECTED_PATTERNS = [
  ...['**/.gitattributes', '{,docs/,.github/,.gitlab/}CODEOWNERS'],
  ...['.svc', '**/.svc', '.svc/**', '**/.svc/**', '.guard.yaml', 'policies.yaml', 'architecture.yaml'],
  ...['.git/**', '**/.git/**', '.git', '**/.git', '.githooks/**', '.husky/**', '.gitmodules'],
  ...['.pre-commit-config.yaml', '{,.}lefthook{,-local}.{yml,yaml,toml,json}'],
  ...[
    '.github/workflows/**',
    '.github/actions/**',
    '.gitlab-ci.yml',
    '.gitlab/ci/**',
    'azure-pipelines{,-*}.{yml,yaml}',
  ],
  ...['Jenkinsfile', '.circleci/**', '.buildkite/**', 'bitbucket-pipelines.yml', '.travis.yml', '.drone.yml'],
  ...['{,.}appveyor.yml', '.woodpecker{.yml,/**}', '.teamcity/**', '.azure-pipelines/**'],
  ...['**/.claude/**', '**/.cursor/**', '**/.gemini/**', '**/.codex/**', '**/.opencode/**', '**/.windsurf/**'],
  ...['**/.roo/**', '**/.kiro/**', '**/.qwen/**', '**/.clinerules/**', '.github/{hooks,copilot}/**', '.aider.conf.yml'],
  ...['**/.mcp.json', 'opencode.json{,c}', '.vscode/{mcp,settings,tasks}.json'],
]

/** Whether a path is always protected. Letter case makes no difference: on some disks it makes none either. */
export function isProtected(path: string): boolean {
  return compiled(PROTECTED_PATTERNS)(path.toLowerCase())
}

const zonesInForce = new WeakMap<Governance['blast_radius'], Zone[]>()

/** The zones in force: those of the configuration, else the built-in ones. The same policy answers the same list. */
export function listZones({ blast_radius }: Governance): Zone[] {
  let zones = zonesInForce.get(blast_radius)
  if (!zones) {
    zones = (blast_radius.zones ?? BUILT_IN_ZONES).map(({ name, patterns, enforcement }) => ({
      name,
      patterns,
      enforcement: enforcement ?? blast_radius.default_enforcement,
    }))
    zonesInForce.set(blast_radius, zones)
  }
  return zones
}

const scopes = new WeakMap<Zone['patterns'], Scope>()

/** Every zone that each path lies in. */
export function zoneHits(zones: readonly Zone[], paths: readonly string[]): ZoneHit[] {
  return paths.flatMap(path => {
    const lower = path.toLowerCase()
    return zones
      .filter(({ patterns }) => compiled(patterns)(lower))
      .map(({ name, enforcement }) => ({ path, zone: name, enforcement }))
  })
}

/** Every zone in force that each path lies in. */
export function findZonesTouched(policy: Governance, paths: readonly string[]): ZoneHit[] {
  return zoneHits(listZones(policy), paths)
}

/** The sternest enforcement among zones; undefined for none. */
export function findStrictest(hits: readonly Pick<ZoneHit, 'enforcement'>[]): Enforcement | undefined {
  return STERNEST_FIRST.find(enforcement => hits.some(hit => hit.enforcement === enforcement))
}

/** The zone that a path's findings are attributed to: the sternest that it lies in, of equals the first. */
export function findZone(zones: readonly Zone[], path: string): string | undefined {
  const hits = zoneHits(zones, [path])
  const most = findStrictest(hits)
  return hits.find(({ enforcement }) => enforcement === most)?.zone
}

/** The zone of each path under a policy, each path judged once. */
export function makeZoning(policy: Governance): (path: string) => string | undefined {
  const zones = listZones(policy)
  const known = new Map<string, string | undefined>()
  return path => {
    if (!known.has(path)) known.set(path, findZone(zones, path))
    return known.get(path)
  }
}

/** The scope of a zone's patterns, for paths in lower case: what is dangerous stays so under another spelling. */
function compiled(patterns: Zone['patterns']): Scope {
  let scope = scopes.get(patterns)
  if (!scope) {
    scope = makeScope(patterns.map(pattern => pattern.toLowerCase()))
    scopes.set(patterns, scope)
  }
  return scope
}
