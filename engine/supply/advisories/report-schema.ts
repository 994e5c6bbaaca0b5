import { type } from 'arktype'

const Place = type({ file: 'string', 'line?': 'number.integer' })

const VulnerabilityType = type({
  id: type('string').describe("GitHub's id, else another database's, else the CVE"),
  aliases: 'string[]',
  summary: 'string',
  severity: type("'critical' | 'high' | 'medium' | 'low' | 'info' | 'unknown'").configure(
    { description: 'critical, high, medium, low, info, or unknown: no complete CVSS vector and no rating' },
    'self',
  ),
  'score?': type('number').describe('the CVSS base score'),
  'vector?': 'string',
  cwe: 'string[]',
  references: 'string[]',
  'published?': 'string',
  modified: 'string',
  ecosystem: 'string',
  package: 'string',
  version: 'string',
  'purl?': 'string',
  component: type('string').describe('the id of the component in the inventory'),
  direct: 'boolean',
  scope: 'string',
  locations: Place.array().describe('manifests and lock files that name the package'),
  paths: type('string[][]').describe('the shortest dependency paths from projects to the package'),
  fixed_versions: type('string[]').describe('fixed versions that are newer, the least first'),
  reachability: type("'imported' | 'not_imported' | 'unknown'").configure(
    { description: 'imported, not_imported or unknown: whether code of the repository imports the package' },
    'self',
  ),
  'malicious?': 'boolean',
  'informational?': 'string',
  'epss?': { score: 'number', percentile: 'number' },
  'known_exploited?': { date_added: 'string', 'due_date?': 'string', ransomware: 'boolean' },
  status: type("'open' | 'dismissed'").configure({ description: 'open or dismissed' }, 'self'),
  'dismissal?': {
    by: "'ignore' | 'vex'",
    status: "'ignored' | 'not_affected' | 'fixed'",
    reason: 'string',
    file: 'string',
    'line?': 'number.integer',
    'expires?': 'string',
  },
  'vex_status?': "'affected' | 'under_investigation'",
})

/** What every surface answers with: the record of vulnerability.ts. */
export const VULNERABILITY_REPORT = {
  generated_at: 'string',
  vulnerable_count: type('number.integer').describe('the number of dependencies with an open vulnerability'),
  total_dependencies: 'number.integer',
  evaluated: type('number.integer').describe('the number of dependencies that were compared with advisories'),
  by_severity: type({ '[string]': 'number.integer' }).describe('the number of open vulnerabilities by severity'),
  vulnerabilities: VulnerabilityType.array(),
  not_evaluated: type({ reason: 'string', detail: 'string', count: 'number.integer', packages: 'string[]' })
    .array()
    .describe('dependencies about which nothing is known'),
  unread_manifests: type({ file: 'string', state: 'string', detail: 'string', 'line?': 'number.integer' })
    .array()
    .describe('manifests and lock files that could not be read whole'),
  manifests: 'number.integer',
  source: type({
    kind: 'string',
    location: 'string',
    as_of: 'string',
    stale: 'number.integer',
    faults: 'string[]',
  }).describe('where the advisories came from, and how old they are'),
  notices: 'string[]',
} as const

/** A change of a manifest that removes vulnerabilities. */
export const FixType = type({
  file: 'string',
  'line?': 'number.integer',
  ecosystem: 'string',
  package: type('string').describe('the package whose version changes'),
  from: type('string').describe('what the manifest says now'),
  to: type('string').describe('what it says after the change'),
  kind: type("'direct' | 'override'").configure(
    { description: 'direct: a declared dependency changes; override: a transitive one is pinned' },
    'self',
  ),
  removes: type('string[]').describe('ids of the vulnerabilities that the change removes'),
  breaking: type('boolean').describe('whether the new version is another major version'),
  lock_command: type('string').describe('the command that renews the lock file'),
  applied: 'boolean',
})

export const UnfixedType = type({ package: 'string', version: 'string', ids: 'string[]', reason: 'string' })
