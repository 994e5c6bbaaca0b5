import { type } from 'arktype'
import { gate, Severity } from './gate-schema.ts'
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
    .configure({ description: `warn (record it), block (refuse it) or hitl (wait for a human): ${meaning}` }, 'self')

const packs = type({
  detect: flag('switch on the packs that fit the languages and manifests found').default(true),
  enable: text
    .array()
    .describe('a list of pack ids; they are on besides the detected packs')
    .default(() => []),
  disable: text
    .array()
    .describe('a list of pack ids; they are off, whatever detection and packs.enable say')
    .default(() => []),
  canary: flag('also run the rules on trial of these packs').default(false),
  overrides: type({
    '[string]': type({
      'enabled?': Bool.describe('true or false: false switches the rule off, true switches one on trial on'),
      'severity?': Severity,
      '+': 'reject',
    }),
  })
    .describe("a map of rule ids to what holds for them here in place of the pack's word")
    .default(() => ({})),
  '+': 'reject',
})

const scan = type({
  max_file_bytes: type('1 <= number.integer <= 268435456')
    .describe('a number of bytes from 1 to 268435456; a larger file is searched for secrets only, and listed')
    .default(5_242_880),
  rule_deadline_ms: type('1 <= number.integer <= 600000')
    .describe(
      'a number of milliseconds from 1 to 600000; the last guard: what a rule costs is bounded by counts, and one that takes longer on one file all the same is stopped, tried once more after the others, and listed if it takes longer again',
    )
    .default(10_000),
  file_deadline_ms: type('1 <= number.integer <= 3600000')
    .describe(
      'a number of milliseconds from 1 to 3600000; the last guard: a file that takes longer with all rules is given up and listed',
    )
    .default(100_000),
  'jobs?': type('1 <= number.integer <= 256').describe(
    'a number of threads from 1 to 256; unset, one for each processor',
  ),
  '+': 'reject',
})

const history = type({
  keep: type('1 <= number.integer <= 100000')
    .describe('a number of runs from 1 to 100000; so many stay in out/history')
    .default(200),
  '+': 'reject',
})

const scanner = type({
  enabled: flag('run it, or read its report, with every scan').default(true),
  'command?': text.array().atLeastLength(1).describe('a list: the program and its arguments; it prints SARIF'),
  'report?': text.describe(
    'a path in the repository; the scanner, or the command where there is one too, writes its SARIF file there',
  ),
  timeout_seconds: type('1 <= number.integer <= 86400')
    .describe(
      'a number of seconds from 1 to 86400; a command that takes longer is ended, and its scanner counts as failed',
    )
    .default(600),
  '+': 'reject',
})

const zone = type({
  name: text.describe('a name that is unique among the zones'),
  patterns: text.array().atLeastLength(1).describe('a list of one or more globs of repository paths'),
  'enforcement?': enforcement('what happens on access to the zone; unset, blast_radius.default_enforcement holds'),
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
    default_trust_level: trust('it holds for every agent that trust_by_agent does not name').default('fix:low'),
    trust_by_agent: type({ '[string]': trust('it holds for the agent of this name') })
      .describe('a map of agent names to trust levels; it goes before default_trust_level')
      .default(() => ({})),
    queue_action: type
      .enumerated(...QUEUE_ACTIONS)
      .configure({ description: 'allow, warn or block: what happens when an action exceeds the trust' }, 'self')
      .default('warn'),
    '+': 'reject',
  }).default(() => ({})),
  task_binding: type({
    enabled: flag('watch whether agents stay within the paths of their task').default(false),
    enforcement: enforcement('what happens on access outside the declared paths').default('warn'),
    require_binding: flag('refuse every action without an active session').default(false),
    auto_expire_seconds: type('1 <= number.integer <= 31536000')
      .describe('a number of seconds from 1 to 31536000; a session ends after it')
      .default(7200),
    '+': 'reject',
  }).default(() => ({})),
  blast_radius: type({
    enabled: flag('watch access to dangerous zones').default(false),
    default_enforcement: enforcement('what happens on access to a zone that names no enforcement').default('warn'),
    'zones?': zone
      .array()
      .describe('a list of zones (name, patterns, enforcement); it takes the place of the six built-in ones'),
    '+': 'reject',
  }).default(() => ({})),
  trust_chain: type({
    enabled: flag('let agents delegate to sub-agents, within limits').default(false),
    max_depth: type('1 <= number.integer <= 64')
      .describe('a number from 1 to 64; a chain of delegations is no longer than that')
      .default(4),
    allow_same_level: flag("let a sub-agent have its parent's trust level").default(true),
    cascade_revocation: flag('revoke the sub-agents with their parent').default(true),
    '+': 'reject',
  }).default(() => ({})),
  tool_grants: type({
    enabled: flag('ask for a grant before an elevated scope is used').default(false),
    auto_grant_scopes: text
      .array()
      .describe('a list of scopes; they are granted at once, and `*` may not be among them')
      .default(() => ['scan', 'findings:read', 'packs:read']),
    require_approval_scopes: text
      .array()
      .describe('a list of scopes; they always need a human')
      .default(() => ['config:write', '*']),
    default_ttl_seconds: type('1 <= number.integer <= 31536000')
      .describe('a number of seconds from 1 to 31536000: how long a grant lives where no time is asked for')
      .default(1800),
    max_ttl_seconds: type('1 <= number.integer <= 31536000')
      .describe('a number of seconds from 1 to 31536000; no grant lives longer')
      .default(14_400),
    '+': 'reject',
  }).default(() => ({})),
  human_review_required: type({
    on_critical_finding: flag('a critical finding needs a human').default(false),
    on_auto_patch_above: type
      .enumerated(...PATCH_CEILINGS)
      .configure(
        {
          description:
            'a severity (critical, high, medium, low, info) or none; an automatic patch of a graver finding needs a human, and with none every patch does',
        },
        'self',
      )
      .default('low'),
    on_config_change: flag('a change of the configuration needs a human').default(false),
    on_dependency_add: flag('a new dependency needs a human').default(false),
    '+': 'reject',
  }).default(() => ({})),
  rollback: type({
    enabled: flag('let a session be rolled back').default(false),
    require_approval_for_violations: flag('rolling back a violated session needs a human').default(true),
    dry_run_by_default: flag('only show what a rollback would reset').default(false),
    '+': 'reject',
  }).default(() => ({})),
  anomaly_detection: type({
    enabled: flag("compare each session with the agent's earlier ones").default(false),
    baseline_sessions: type('3 <= number.integer <= 10000')
      .describe('a number of sessions from 3 to 10000; the latest ones that are done make the baseline')
      .default(50),
    scope_violation_rate_threshold: type('0 < number <= 1000')
      .describe(
        'a number of standard deviations above the mean, greater than 0; past it the signal is flagged: accesses out of scope for each file touched',
      )
      .default(2),
    file_count_multiplier_threshold: type('0 < number <= 1000')
      .describe(
        'a number of standard deviations above the mean, greater than 0; past it the signal is flagged: files touched against files declared',
      )
      .default(3),
    finding_rate_threshold: type('0 < number <= 1000')
      .describe(
        'a number of standard deviations above the mean, greater than 0; past it the signal is flagged: new findings for each file',
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
            "user or repository: where the key of the audit log is made, in the user's state folder or in .svc/local, where a governed agent can read it",
        },
        'self',
      )
      .default('user'),
    '+': 'reject',
  }).default(() => ({})),
  design_review: type({
    require_acknowledgment: flag('hold the gate (exit 2) while design decisions are not acknowledged').default(false),
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
      'a directory of the repository for runs and reports that svc may have to itself; SVC_OUTPUT_DIR and --output-dir beat it, and may lead anywhere',
    )
    .default('out'),
  scan_exclude: text
    .array()
    .describe(
      'a list of files, folders and globs, starting at the folder that holds .svc; what they match is not scanned',
    )
    .default(() => []),
  'quality_exclude?': text
    .array()
    .describe(
      'a list of files, folders and globs, starting at the folder that holds .svc; it replaces scan_exclude for the quality score and is taken literally',
    ),
  severity_rescoring_enabled: flag('weigh severity with confidence and context').default(false),
  scan: scan.default(() => ({})),
  history: history.default(() => ({})),
  external_scanners: type({ '[string]': scanner })
    .describe('a map of scanner names to their settings')
    .default(() => ({})),
  'grc_webhook_url?': type(/^https?:\/\/[^\s]+$/).describe(
    'an http or https address; scan and gate events are sent there by `svc grc-push`',
  ),
  governance: governance.default(() => ({})),
  '+': 'reject',
})

/** What may stand in `.svc/config.yaml`. */
export type ConfigFile = typeof CONFIG.inferIn

/** A configuration with every default filled in. */
export type Settings = typeof CONFIG.infer
