import { type } from 'arktype'

/** Input of every operation that scans: the body of POST /scan and /gate (spec "Core"), and the options of `svc scan` and `svc gate`. */
export const ScanInputType = type({
  repo_path: type('string > 0').describe('a path to the repository, or to a directory or file in it').default('.'),
  'paths?': type('string[]').describe('further files and directories of the same repository to scan'),
  'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
  cache: type('boolean').describe('true or false: reuse the results of unchanged files').default(true),
  'jobs?': type('1 <= number.integer <= 256').describe('worker threads, 1 to 256 (default: one per processor)'),
  'files?': type({ '[string]': 'string' }).describe(
    'a map of file paths to content, scanned instead of the files on disk',
  ),
  'changed_files?': type('string[]').describe('paths from the repository root to limit the scan to'),
  'config_overrides?': type({ '[string]': 'unknown' }).describe('settings that override .svc/config.yaml'),
  '+': 'reject',
})

/** The options that judge a change instead of the repository (spec "Common options"). */
const change = {
  staged: type('boolean').describe('true or false: scan staged changes, from the index').default(false),
  'git_range?': type('string > 0').describe('a range of commits (main..HEAD, main...topic) whose changes to evaluate'),
} as const

/** Input of `svc scan`. */
export const ScanChangeInputType = type({
  '...': ScanInputType,
  ...change,
  'diff?': type('string > 0').describe('a patch whose changes to evaluate: a file, or - for standard input'),
  'branch?': type('string > 0').describe('a branch; changes of the working tree since the merge base are evaluated'),
  '+': 'reject',
})

/** Input of `svc gate`. */
export const GateInputType = type({ '...': ScanInputType, ...change, '+': 'reject' })
