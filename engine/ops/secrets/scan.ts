import { type } from 'arktype'
import { STATUSES } from '../../base/records/finding.ts'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { isBrokenOff } from '../../base/records/run.ts'
import { defineOperation } from '../../door/operation.ts'
import { ShownCheckType } from '../../secrets/check-schema.ts'
import { scanSecrets } from '../../secrets/scan.ts'
import { formatSecrets } from '../../secrets/text.ts'

const StatusType = type.enumerated(...STATUSES).configure({ description: 'open, suppressed or baseline' }, 'self')

const PlaceType = type({
  file: type('string').describe('a path from the repository root'),
  line: type('number.integer >= 1').describe('a line from 1'),
  column: type('number.integer >= 1').describe('a column from 1, in UTF-16 units'),
  end_line: 'number.integer >= 1',
  end_column: 'number.integer >= 1',
  snippet: type('string').describe('the lines, with the secret masked'),
  rule_id: 'string',
  'also?': type('string[]').describe('ids of the less specific rules that report it too'),
  confidence: type('0 <= number <= 1').describe('a confidence from 0 to 1'),
  status: StatusType,
  'reasons?': type('string').describe('the evidence for and against a secret, in log-odds'),
  'written?': type('string').describe('the encoding of the value: base64, hex, url, escapes or entities; or parts'),
  'commit?': type('string').describe('the commit that introduced it'),
  'author?': 'string',
  'date?': 'string',
})

const SecretType = type({
  id: type('string').describe('the keyed hash of the value: the same secret has the same id in every location'),
  rule_id: type('string').describe('the most specific rule that reports it'),
  'also?': type('string[]').describe('ids of the other rules that report it; a suppression by any covers it'),
  title: 'string',
  severity: SeverityType,
  confidence: type('0 <= number <= 1').describe('a confidence from 0 to 1'),
  masked: type('string').describe('at most the first and last four characters'),
  status: StatusType,
  remediation: 'string',
  places: PlaceType.array(),
  'at_head?': type('boolean').describe('true or false: whether the checked-out commit still contains the value'),
  'liveness?': type("'live' | 'dead' | 'unknown'").configure({ description: 'live, dead or unknown' }, 'self'),
  'provider?': type('string').describe('the provider that can be asked whether it is live'),
  'checked?': ShownCheckType.describe('what the provider said last; absent if it was never asked'),
})

/** Looks for secrets in files, in a change or in the whole history. Values are masked, and leave the process for `--verify` alone. */
export default defineOperation({
  id: 'secrets.scan',
  summary: 'Scan for hard-coded passwords, keys and tokens.',
  effect: 'write',
  action: 'run_scan',
  cli: 'secrets [repo_path]',
  rest: null,
  mcp: null,
  examples: [
    ['svc secrets', 'scan the files of the repository'],
    ['svc secrets --staged', 'scan staged changes'],
    ['svc secrets --git-range main...HEAD', 'scan the changes of a branch'],
    ['svc secrets --history', 'scan the whole git history'],
    ['kubectl get secret -o yaml | svc secrets --stdin', 'scan standard input'],
    ['svc secrets --baseline', 'add current secrets to the baseline: only new ones are reported'],
    ['svc secrets --verify --providers GitHub', 'verify GitHub tokens with GitHub'],
  ],

  input: type({
    repo_path: type('string > 0').describe('a path to the repository or a directory in it').default('.'),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    'jobs?': type('1 <= number.integer <= 256').describe('worker threads, 1 to 256 (default: one per processor)'),
    staged: type('boolean').describe('true or false: scan staged changes, from the index').default(false),
    'git_range?': type('string > 0').describe(
      'a range of commits (main..HEAD, main...topic) whose changes to evaluate',
    ),
    history: type('boolean').describe('true or false: scan the whole history of every branch and tag').default(false),
    stdin: type('boolean').describe('true or false: scan standard input').default(false),
    baseline: type('boolean')
      .describe('true or false: update .svc/baseline.json with every open secret')
      .default(false),
    verify: type('boolean')
      .describe('true or false: verify credentials with their providers; each is sent only to its own provider')
      .default(false),
    'providers?': type('string[]').describe(
      'providers to verify credentials with (default with verify: all supported)',
    ),
    explain: type('boolean').describe('true or false: show the evidence for and against each finding').default(false),
    '+': 'reject',
  }),
  output: type({
    scope: type('string').describe('a description of the scan scope'),
    secrets: SecretType.array(),
    open: type('number.integer').describe('the number of secrets neither suppressed nor in the baseline'),
    files: type('number.integer').describe('the number of files, or versions of files, scanned'),
    not_read: type('number.integer').describe(
      'the number of files, or versions of files, that could not be read: result unknown',
    ),
    'shallow?': type('boolean').describe('of a history: whether the clone has only the last part of it'),
    bytes: 'number.integer',
    'commits?': 'number.integer',
    skipped: type({ path: 'string', reason: 'string', 'detail?': 'string', 'language?': 'string' })
      .array()
      .describe('files not scanned'),
    partly: type({ path: 'string', reason: 'string', 'detail?': 'string', 'language?': 'string' })
      .array()
      .describe('files partly scanned for secrets, including archives'),
    unread: type('string[]').describe(
      'changed source files that could not be scanned; they fail the gate unless gate.unread allows them',
    ),
    not_evaluated: type({ rule_id: 'string', 'file?': 'string', reason: 'string', 'detail?': 'string' })
      .array()
      .describe('rules that could not be evaluated in a file: result unknown'),
    notices: type({ kind: 'string', file: 'string', 'line?': 'number.integer', detail: 'string' }).array(),
    'held?': type('number.integer').describe('the number of secrets in the baseline'),
  }),

  async run(input, context) {
    const result = await scanSecrets(input, context)
    return { ...result, open: result.secrets.filter(({ status }) => status === 'open').length }
  },

  text: (output, view) => formatSecrets(output, view),

  // A file that could not be read, or is made to break a search off, must pass nothing.
  exit: ({ open, not_read, not_evaluated, skipped, partly, unread }) =>
    open > 0 ||
    not_read > 0 ||
    unread.length > 0 ||
    [...not_evaluated, ...skipped, ...partly].some(({ reason }) => isBrokenOff(reason))
      ? 1
      : 0,
})
