import { type } from 'arktype'
import { fleet } from './fleet-schema.ts'
import { gate, Severity } from './gate-schema.ts'
import { llm } from './llm-schema.ts'
import { providers } from './providers-schema.ts'
import { analysis, scan } from './scan-schema.ts'
import { ENFORCEMENTS, PATCH_CEILINGS, PROFILES, QUEUE_ACTIONS, TRUST_LEVELS } from './values.ts'

/**
 * Every key of `.svc/config.yaml`: its type, what it must be, and its default. `npm run generate` writes from this
 * one declaration the JSON Schema that validates at run time and in editors, and docs/reference/configuration.md.
 * Outside operations it is imported by type only, so the shipped program never loads ArkType for it.
 *
 * Descriptions complete "must be …". Defaults here hold where no profile is named (see profile.ts).
 */

const text = type('string > 0')
const Bool = type('boolean')
const flag = (description: string) => Bool.describe(`true or false: ${description}`)
const trust = (meaning: string) =>
  type
    .enumerated(...TRUST_LEVELS)
    .configure({ description: `a trust level (${TRUST_LEVELS.join(', ')}): ${meaning}` }, 'self')
const enforcement = (meaning: string) =>
  type
    .enumerated(...ENFORCEMENTS)
    .configure({ description: `warn (record it), block (deny it) or hitl (wait for a human): ${meaning}` }, 'self')

const packs = type({
  detect: flag('turn on the packs that fit the detected languages and manifests').default(true),
  enable: text
    .array()
    .describe('a list of pack ids: packs to turn on in addition to the detected ones')
    .default(() => []),
  disable: text
    .array()
    .describe('a list of pack ids: packs to turn off; overrides detection and packs.enable')
    .default(() => []),
  canary: flag('also run the canary rules of these packs').default(false),
  overrides: type({
    '[string]': type({
      'enabled?': Bool.describe('true or false: false turns the rule off, true turns a canary rule on'),
      'severity?': Severity,
      '+': 'reject',
    }),
  })
    .describe('a map of rule ids to settings: they override those of the pack')
    .default(() => ({})),
  '+': 'reject',
})

const history = type({
  keep: type('1 <= number.integer <= 100000')
    .describe('a number of runs from 1 to 100000: how many runs to keep in out/history')
    .default(200),
  '+': 'reject',
})

const scanner = type({
  enabled: flag('run it, or read its report, with every scan').default(true),
  'command?': text.array().atLeastLength(1).describe('a list: a program that prints SARIF, and its arguments'),
  'report?': text.describe('a path in the repository: the SARIF file that the scanner or the command writes'),
  timeout_seconds: type('1 <= number.integer <= 86400')
    .describe(
      'a number of seconds from 1 to 86400: the time limit of the command; a scanner that times out counts as failed',
    )
    .default(600),
  '+': 'reject',
})

const requirements = type({
  files: text
    .array()
    .describe(
      'a list of globs: further files with requirements (.yaml, .csv, .md), beside requirements.yaml, *.reqif, *.sdoc, requirements.csv and the items of Doorstop',
    )
    .default(() => []),
  require_links: text
    .array()
    .describe('a list of globs: source files that must be linked to a requirement; the others are reported as orphans')
    .default(() => []),
  test_results: text
    .array()
    .describe('a list of globs: JUnit XML reports of the last test run, in place of the usual paths')
    .default(() => []),
  '+': 'reject',
})

const vulns = type({
  'database?': text.describe(
    'a directory of OSV exports or JSON advisories, or an index of one, relative to the directory of .svc: vulnerabilities are matched with it, without a network',
  ),
  offline: flag('call no service: use the database alone').default(false),
  in_scan: flag(
    'report known vulnerabilities in scans, where vulns.database is set and indexed, and that they are not evaluated where it is not; a scan calls no service',
  ).default(true),
  api_url: type(/^https?:\/\/[^\s]+$/)
    .describe('an http or https URL: the API of OSV or of a mirror')
    .default('https://api.osv.dev'),
  export_url: type(/^https?:\/\/[^\s]+$/)
    .describe('an http or https URL: `svc vulns --update-db` downloads <URL>/<ecosystem>/all.zip from it')
    .default('https://osv-vulnerabilities.storage.googleapis.com'),
  cache_hours: type('0 <= number <= 8760')
    .describe('a number of hours from 0 to 8760: how long an answer of the API is used without asking again')
    .default(24),
  '+': 'reject',
})

const notary = type({
  'url?': type(/^https?:\/\/[^\s]+$/).describe('an http or https URL: `svc attest --notarize` posts digests there'),
  'key?': text.describe(
    "the notary's verifier key (`<name>+<hash>+<key>`, as `svc notary serve` prints it): an answer that it has not signed is refused",
  ),
  '+': 'reject',
})

const grc = type({
  target: type
    .enumerated('webhook', 'vanta', 'drata')
    .configure({ description: 'webhook, vanta or drata: which mapping of fields `svc grc-push` uses' }, 'self')
    .default('webhook'),
  'resource?': text.describe(
    'the id of a document of Vanta, or <connection id>/<resource id> of Drata, that evidence is added to',
  ),
  '+': 'reject',
})

const login = type({
  'issuer?': type(/^https?:\/\/[^\s]+$/).describe(
    'an https URL: the OAuth issuer that `svc login` signs in with; plain http is for this machine only',
  ),
  'client_id?': text.describe(
    'the id of a public client with the device authorization grant at that issuer, which is no secret',
  ),
  scopes: type(/^[\x21\x23-\x5B\x5D-\x7E]+$/)
    .array()
    .describe('a list of scopes that `svc login` asks for')
    .default(() => ['openid', 'offline_access']),
  '+': 'reject',
})

const authors = type({
  agents: type({ '[string]': text })
    .describe("a map of authors' e-mail addresses to agents: commits by them are counted as the agent's")
    .default(() => ({})),
  '+': 'reject',
})

const licenses = type({
  policy: type({
    allow: text
      .array()
      .describe(
        'a list of SPDX ids, patterns such as BSD-*, or kinds of licenses: with it, every other license is denied',
      )
      .default(() => []),
    deny: text
      .array()
      .describe('a list of SPDX ids, patterns or kinds of licenses: a dependency with one fails the gate')
      .default(() => []),
    review: text
      .array()
      .describe('a list of SPDX ids, patterns or kinds of licenses: a person must review the dependency')
      .default(() => []),
    '+': 'reject',
  }).default(() => ({})),
  overrides: type({
    package: text.describe('a name of a package, or a glob of names'),
    'version?': text.describe('a version: every version where it is left out'),
    'ecosystem?': text.describe('an ecosystem, such as npm or PyPI: every ecosystem where it is left out'),
    license: text.describe('an SPDX expression: the license, whatever the package says'),
    reason: text.describe('a reason: how the license is known'),
    'expires?': type(/^\d{4}-\d{2}-\d{2}$/).describe(
      'a date like 2027-01-31: the last day on which the entry has an effect',
    ),
    '+': 'reject',
  })
    .array()
    .describe('a list of packages with their licenses, where packages do not say them, or wrongly')
    .default(() => []),
  in_scan: flag('report dependencies that licenses.policy denies or wants reviewed, in scans').default(true),
  '+': 'reject',
})

const supplyChain = type({
  in_scan: flag(
    'report signs of an attack by dependencies in scans: imitated names, lock files that were changed, dependency confusion',
  ).default(true),
  '+': 'reject',
})

const zone = type({
  name: text.describe('a name that is unique among the zones'),
  patterns: text.array().atLeastLength(1).describe('a list of one or more globs of repository paths'),
  'enforcement?': enforcement('enforcement on access to the zone (default: blast_radius.default_enforcement)'),
  '+': 'reject',
})

const governance = type({
  'profile?': type
    .enumerated(...PROFILES)
    .configure(
      { description: 'strict, standard or permissive: the set of defaults for the gate and for human review' },
      'self',
    ),
  agent_defaults: type({
    default_trust_level: trust('for every agent that trust_by_agent does not name').default('fix:low'),
    trust_by_agent: type({ '[string]': trust('for the agent of this name') })
      .describe('a map of agent names to trust levels; takes precedence over default_trust_level')
      .default(() => ({})),
    queue_action: type
      .enumerated(...QUEUE_ACTIONS)
      .configure(
        { description: 'allow, warn or block: the decision on an action above the trust level of the agent' },
        'self',
      )
      .default('warn'),
    '+': 'reject',
  }).default(() => ({})),
  task_binding: type({
    enabled: flag('check that agents stay within the paths of their task').default(false),
    enforcement: enforcement('enforcement on access outside the declared paths').default('warn'),
    require_binding: flag('deny every action without an active session').default(false),
    auto_expire_seconds: type('1 <= number.integer <= 31536000')
      .describe('a number of seconds from 1 to 31536000: the lifetime of a session')
      .default(7200),
    '+': 'reject',
  }).default(() => ({})),
  blast_radius: type({
    enabled: flag('check access to protected zones').default(false),
    default_enforcement: enforcement('enforcement on access to a zone without its own').default('warn'),
    'zones?': zone.array().describe('a list of zones (name, patterns, enforcement); replaces the six built-in zones'),
    '+': 'reject',
  }).default(() => ({})),
  trust_chain: type({
    enabled: flag('allow agents to delegate to sub-agents, within limits').default(false),
    max_depth: type('1 <= number.integer <= 64')
      .describe('a number from 1 to 64: the maximum length of a delegation chain')
      .default(4),
    allow_same_level: flag("allow a sub-agent its parent's trust level").default(true),
    cascade_revocation: flag('revoke sub-agents with their parent').default(true),
    '+': 'reject',
  }).default(() => ({})),
  tool_grants: type({
    enabled: flag('require a grant before an elevated scope is used').default(false),
    auto_grant_scopes: text
      .array()
      .describe('a list of scopes: granted automatically; `*` is not allowed')
      .default(() => ['scan', 'findings:read', 'packs:read']),
    require_approval_scopes: text
      .array()
      .describe('a list of scopes: they always require human approval')
      .default(() => ['config:write', '*']),
    default_ttl_seconds: type('1 <= number.integer <= 31536000')
      .describe('a number of seconds from 1 to 31536000: the lifetime of a grant that requests none')
      .default(1800),
    max_ttl_seconds: type('1 <= number.integer <= 31536000')
      .describe('a number of seconds from 1 to 31536000: the maximum lifetime of a grant')
      .default(14_400),
    '+': 'reject',
  }).default(() => ({})),
  human_review_required: type({
    on_critical_finding: flag('require human review of a critical finding').default(false),
    on_auto_patch_above: type
      .enumerated(...PATCH_CEILINGS)
      .configure(
        {
          description:
            'a severity (critical, high, medium, low, info) or none: automatic patches of findings above it require human review; with none, every patch does',
        },
        'self',
      )
      .default('low'),
    on_config_change: flag('require human review of a configuration change').default(false),
    on_dependency_add: flag('require human review of a new dependency').default(false),
    '+': 'reject',
  }).default(() => ({})),
  rollback: type({
    enabled: flag('allow sessions to be rolled back').default(false),
    require_approval_for_violations: flag('require human approval to roll back a violated session').default(true),
    dry_run_by_default: flag('only show what a rollback would restore').default(false),
    '+': 'reject',
  }).default(() => ({})),
  anomaly_detection: type({
    enabled: flag("compare each session with the agent's earlier sessions").default(false),
    baseline_sessions: type('3 <= number.integer <= 10000')
      .describe('a number of sessions from 3 to 10000: the latest completed sessions that form the baseline')
      .default(50),
    scope_violation_rate_threshold: type('0 < number <= 1000')
      .describe(
        'a number of standard deviations above the mean, greater than 0: the threshold for accesses out of scope per modified file',
      )
      .default(2),
    file_count_multiplier_threshold: type('0 < number <= 1000')
      .describe(
        'a number of standard deviations above the mean, greater than 0: the threshold for modified files per declared file',
      )
      .default(3),
    finding_rate_threshold: type('0 < number <= 1000')
      .describe(
        'a number of standard deviations above the mean, greater than 0: the threshold for new findings per file',
      )
      .default(2.5),
    new_zone_flag: flag('flag the first access to a zone').default(true),
    '+': 'reject',
  }).default(() => ({})),
  audit: type({
    key: type
      .enumerated('user', 'repository')
      .configure(
        {
          description:
            "user or repository: where the key of the audit log is stored, in the user's state directory or in .svc/local, where a governed agent can read it",
        },
        'self',
      )
      .default('user'),
    '+': 'reject',
  }).default(() => ({})),
  design_review: type({
    require_acknowledgment: flag('block the gate (exit 2) until design decisions are acknowledged').default(false),
    '+': 'reject',
  }).default(() => ({})),
  '+': 'reject',
})

/** The whole file. Input type: what a person may write; output type: with every default filled in. */
export const CONFIG = type({
  gate: gate.default(() => ({})),
  packs: packs.default(() => ({})),
  output_dir: text
    .describe(
      'a directory of the repository: runs and reports, used by svc alone; SVC_OUTPUT_DIR and --output-dir take precedence and may be any path',
    )
    .default('out'),
  scan_exclude: text
    .array()
    .describe('a list of files, directories and globs: excluded from scans, relative to the directory of .svc')
    .default(() => []),
  'quality_exclude?': text
    .array()
    .describe(
      'a list of files, directories and globs: excluded from the quality score, relative to the directory of .svc; replaces scan_exclude there and is matched literally',
    ),
  severity_rescoring_enabled: flag('adjust severity by confidence and context').default(false),
  scan: scan.default(() => ({})),
  analysis: analysis.default(() => ({})),
  history: history.default(() => ({})),
  vulns: vulns.default(() => ({})),
  licenses: licenses.default(() => ({})),
  requirements: requirements.default(() => ({})),
  supply_chain: supplyChain.default(() => ({})),
  external_scanners: type({ '[string]': scanner })
    .describe('a map of scanner names to their settings')
    .default(() => ({})),
  providers: providers.default(() => ({})),
  'grc_webhook_url?': type(/^https?:\/\/[^\s]+$/).describe(
    'an http or https URL: `svc grc-push` sends scan and gate events there',
  ),
  grc: grc.default(() => ({})),
  notary: notary.default(() => ({})),
  login: login.default(() => ({})),
  fleet: fleet.default(() => ({})),
  attribution: authors.default(() => ({})),
  llm: llm.default(() => ({})),
  governance: governance.default(() => ({})),
  '+': 'reject',
})

/** What may stand in `.svc/config.yaml`. */
export type ConfigFile = typeof CONFIG.inferIn

/** A configuration with every default filled in. */
export type Settings = typeof CONFIG.infer
