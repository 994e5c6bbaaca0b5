import type { Enforcement } from '../config/values.ts'
import { type Scope, scopeOf } from './paths.ts'
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

/** What needs admin, whatever the zones say: svc's own settings, git's hooks, CI workflows, settings of agents. */
const PROTECTED = scopeOf([
  '.svc/**',
  '.guard.yaml',
  '.git/**',
  '**/.git/**',
  '.githooks/**',
  '.husky/**',
  '.pre-commit-config.yaml',
  '.github/workflows/**',
  '.github/actions/**',
  '.gitlab-ci.yml',
  'azure-pipelines.yml',
  'Jenkinsfile',
  '.circleci/**',
  '.buildkite/**',
  'bitbucket-pipelines.yml',
  '.claude/**',
  '.cursor/**',
  '.gemini/**',
  '.codex/**',
  '.mcp.json',
])

/** Whether a path is always protected. */
export function isProtected(path: string): boolean {
  return PROTECTED(path)
}

/** The zones in force: those of the configuration. */
export function zonesOf({ blast_radius }: Governance): Zone[] {
  return (blast_radius.zones ?? []).map(({ name, patterns, enforcement }) => ({
    name,
    patterns,
    enforcement: enforcement ?? blast_radius.default_enforcement,
  }))
}

/** Every zone that each path lies in. */
export function zoneHits(zones: readonly Zone[], paths: readonly string[]): ZoneHit[] {
  const scopes: [Zone, Scope][] = zones.map(zone => [zone, scopeOf(zone.patterns)])
  return paths.flatMap(path =>
    scopes.filter(([, scope]) => scope(path)).map(([{ name, enforcement }]) => ({ path, zone: name, enforcement })),
  )
}
