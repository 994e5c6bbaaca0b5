import { type } from 'arktype'

/** Input of every operation that scans: the body of POST /scan and /gate (spec "Core"), and the options of `svc scan` and `svc gate`. */
export const ScanInputType = type({
  repo_path: type('string > 0').describe('a path to the repository, or to a directory or file in it').default('.'),
  'paths?': type('string[]').describe('further files and directories of the same repository to scan'),
  'config?': type('string > 0').describe('a path to a configuration file, in place of .svc/config.yaml'),
  cache: type('boolean').describe('true or false: take over the results of files that have not changed').default(true),
  'jobs?': type('1 <= number.integer <= 256').describe(
    'a number of threads from 1 to 256; one for each processor where absent',
  ),
  'files?': type({ '[string]': 'string' }).describe(
    'a map from file path to content, scanned in place of what is on disk',
  ),
  'changed_files?': type('string[]').describe('paths from the repository root; only these are scanned'),
  'config_overrides?': type({ '[string]': 'unknown' }).describe('settings as in .svc/config.yaml that go before it'),
  '+': 'reject',
})

/** The options that judge a change instead of the repository (spec "Common options"). */
const change = {
  staged: type('boolean').describe('true or false: judge what is staged, from the index').default(false),
  'git_range?': type('string > 0').describe(
    'a range of commits (main..HEAD, main...topic); what it introduces is judged',
  ),
} as const

/** Input of `svc scan`. */
export const ScanChangeInputType = type({
  '...': ScanInputType,
  ...change,
  'diff?': type('string > 0').describe('a patch: a file, or - for standard input; what it introduces is judged'),
  'branch?': type('string > 0').describe('a branch; what the working tree introduces since the merge base is judged'),
  '+': 'reject',
})

/** Input of `svc gate`. */
export const GateInputType = type({ '...': ScanInputType, ...change, '+': 'reject' })
