import { type } from 'arktype'
import { STATUSES } from '../../base/records/finding.ts'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { isBrokenOff } from '../../base/records/run.ts'
import { defineOperation } from '../../door/operation.ts'
import { scanSecrets } from '../../secrets/scan.ts'
import { formatSecrets } from '../../secrets/text.ts'

const StatusType = type.enumerated(...STATUSES).configure({ description: 'open, suppressed or baseline' }, 'self')

const PlaceType = type({
  file: type('string').describe('a path from the repository root'),
  line: type('number.integer >= 1').describe('a line from 1'),
  column: type('number.integer >= 1').describe('a column from 1, in UTF-16 units'),
  end_line: 'number.integer >= 1',
  end_column: 'number.integer >= 1',
  snippet: type('string').describe('the lines, the secret masked'),
  rule_id: 'string',
  confidence: type('0 <= number <= 1').describe('a confidence from 0 to 1'),
  status: StatusType,
  'reasons?': type('string').describe('what speaks for a secret and what against it, in log-odds'),
  'written?': type('string').describe(
    'how the value is written there: encoded: base64, hex, url, escapes or entities; written as: parts',
  ),
  'commit?': type('string').describe('the commit that brought it'),
  'author?': 'string',
  'date?': 'string',
})

const SecretType = type({
  id: type('string').describe('the keyed hash of the value: the same secret has the same id wherever it stands'),
  rule_id: 'string',
  title: 'string',
  severity: SeverityType,
  confidence: type('0 <= number <= 1').describe('a confidence from 0 to 1'),
  masked: type('string').describe('at most the first and last four characters'),
  status: StatusType,
  remediation: 'string',
  places: PlaceType.array(),
  'at_head?': type('boolean').describe('true or false: whether the value still stands in the commit checked out'),
  'liveness?': type("'live' | 'dead' | 'unknown'").configure({ description: 'live, dead or unknown' }, 'self'),
})

/** Looks for secrets in files, in a change or in the whole history. Values are masked, and leave the process for `--verify` alone. */
export default defineOperation({
  id: 'secrets.scan',
  summary: 'Look for passwords, keys and tokens that are written into files.',
  effect: 'write',
  action: 'run_scan',
  cli: 'secrets [repo_path]',
  rest: null,
  mcp: null,
  short: { config: 'c', jobs: 'j' },
  examples: [
    ['svc secrets', 'look into the files of the repository'],
    ['svc secrets --staged', 'judge what the next commit brings'],
    ['svc secrets --git-range main...HEAD', 'judge what a branch brings'],
    ['svc secrets --history', 'look at everything that any commit brought'],
    ['kubectl get secret -o yaml | svc secrets --stdin', 'look into a text'],
    ['svc secrets --baseline', 'hold what is found now: only new secrets are reported from then on'],
    ['svc secrets --verify --providers GitHub', 'ask GitHub which of its tokens still work'],
  ],

  input: type({
    repo_path: type('string > 0').describe('a path to the repository or a folder in it').default('.'),
    'config?': type('string > 0').describe('a path to a configuration file, in place of .svc/config.yaml'),
    'jobs?': type('1 <= number.integer <= 256').describe(
      'a number of threads from 1 to 256; one for each processor where absent',
    ),
    staged: type('boolean').describe('true or false: judge what is staged, from the index').default(false),
    'git_range?': type('string > 0').describe(
      'a range of commits (main..HEAD, main...topic); what it introduces is judged',
    ),
    history: type('boolean')
      .describe('true or false: look at every content that any commit of any branch or tag brought')
      .default(false),
    stdin: type('boolean').describe('true or false: look into standard input').default(false),
    baseline: type('boolean')
      .describe('true or false: write .svc/baseline.json so that it holds every secret that is open now')
      .default(false),
    verify: type('boolean')
      .describe(
        'true or false: ask the providers whether credentials work; each is sent to its own provider and nowhere else',
      )
      .default(false),
    'providers?': type('string[]').describe(
      'names of providers that may be asked; with verify, all that can be where absent',
    ),
    explain: type('boolean')
      .describe('true or false: say what speaks for each finding and what against it')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    scope: type('string').describe('what was looked at, in words'),
    secrets: SecretType.array(),
    open: type('number.integer').describe('a number of secrets that neither a suppression nor the baseline covers'),
    files: type('number.integer').describe('a number of files, or of versions of files, that were looked into'),
    bytes: 'number.integer',
    'commits?': 'number.integer',
    skipped: type({ path: 'string', reason: 'string', 'detail?': 'string', 'language?': 'string' })
      .array()
      .describe('files that nothing searched'),
    partly: type({ path: 'string', reason: 'string', 'detail?': 'string', 'language?': 'string' })
      .array()
      .describe('files that were searched for secrets in part, archives among them'),
    unread: type('string[]').describe(
      'source files of the change that could not be searched; they fail it unless gate.unread says otherwise',
    ),
    not_evaluated: type({ rule_id: 'string', 'file?': 'string', reason: 'string', 'detail?': 'string' })
      .array()
      .describe('rules that could not be evaluated in a file: unknown, not clean'),
    notices: type({ kind: 'string', file: 'string', 'line?': 'number.integer', detail: 'string' }).array(),
    'held?': type('number.integer').describe('a number of secrets that the baseline holds now'),
  }),

  async run(input, context) {
    const result = await scanSecrets(input, context)
    return { ...result, open: result.secrets.filter(({ status }) => status === 'open').length }
  },

  text: (output, view) => formatSecrets(output, view),

  // A file that is made to break a search off must pass nothing.
  exit: ({ open, not_evaluated, skipped, partly, unread }) =>
    open > 0 || unread.length > 0 || [...not_evaluated, ...skipped, ...partly].some(({ reason }) => isBrokenOff(reason))
      ? 1
      : 0,
})
