import { type } from 'arktype'
import { computePercent } from '../../base/text/percent.ts'
import type { View } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { checkExpertise, type ExpertiseAnswer } from '../../quality/expertise/check.ts'

const Count = type('number.integer >= 0')
const ShareType = type({ commits: Count, share: type('0 <= number <= 1').describe('the part of all commits there') })
const TotalType = type({ commits: Count, authors: Count })

/** Authors, and areas of each, that a person is shown. */
const MOST_AUTHORS = 20
const MOST_AREAS = 3

/** Flags changes in languages and directories that their author has not worked in lately. */
export default defineOperation({
  id: 'quality.expertise',
  summary: 'Check whether authors of a change have experience in its languages and directories, from git history.',
  effect: 'write',
  action: 'read_metrics',
  cli: 'check-expertise',
  rest: null,
  mcp: null,
  short: { threshold: 't' },
  examples: [
    ['svc check-expertise', 'check uncommitted changes'],
    ['svc check-expertise --staged --threshold 0.5', 'check staged changes, and report large gaps only'],
    ['svc check-expertise --git-range main...HEAD', 'check the commits of a branch, each by its author'],
    ['svc check-expertise --profile', 'write out/developer_profiles.json'],
    ['svc check-expertise --profile --hash-authors', 'the same without names and addresses'],
  ],
  input: type({
    profile: type('boolean')
      .describe('true or false: show the profiles of all authors, and write them to developer_profiles.json')
      .default(false),
    'git_range?': type('string > 0').describe('a range of commits (main...HEAD), each checked by its author'),
    staged: type('boolean')
      .describe('true or false: check staged changes instead of all uncommitted ones')
      .default(false),
    threshold: type('0 <= number <= 1')
      .describe('a number from 0 to 1: report gaps of at least this size; lower is more sensitive')
      .default(0.2),
    hash_authors: type('boolean')
      .describe('true or false: show authors as keyed hashes instead of names and addresses')
      .default(false),
    '+': 'reject',
  }),
  output: type({
    scope: type('string | null').describe('what was checked; null for a profile alone'),
    lookback_days: Count,
    since: 'string',
    shallow: type('boolean').describe('true or false: whether the clone lacks a part of the history'),
    threshold: 'number',
    gaps: type({
      author: 'string',
      kind: type("'language' | 'directory'").configure({ description: 'language or directory' }, 'self'),
      name: 'string',
      severity: type("'warning' | 'info'").configure({ description: 'warning or info' }, 'self'),
      gap: type('0 <= number <= 1').describe('the size of the gap, from 0 to 1'),
      change_share: type('0 <= number <= 1').describe('the part of the changed files in the area'),
      files: Count,
      commits: type('number.integer >= 0').describe("the author's commits in the area"),
      area_commits: type('number.integer >= 0').describe('all commits in the area'),
      needed: type('number.integer >= 0').describe('how many commits are taken for knowing the area'),
      message: 'string',
    }).array(),
    'profile?': type({
      commits: Count,
      authors: type({
        author: 'string',
        commits: Count,
        languages: type({ '[string]': ShareType }),
        directories: type({ '[string]': ShareType }),
      }).array(),
      languages: type({ '[string]': TotalType }),
      directories: type({ '[string]': TotalType }),
    }),
    'file?': type('string').describe('the file that was written'),
  }),

  run: (input, context) => checkExpertise(input, context),
  text: (answer, view) =>
    [answer.profile && formatProfile(answer, view), answer.scope !== null && formatGaps(answer, view)]
      .filter(Boolean)
      .join('\n\n'),
  exit: ({ gaps }) => (gaps.some(({ severity }) => severity === 'warning') ? 1 : 0),
})

function formatGaps(
  { scope, gaps, threshold, lookback_days }: ExpertiseAnswer,
  { paint }: Pick<View, 'paint'>,
): string {
  if (gaps.length === 0)
    return `No expertise gap of ${threshold} or more in ${scope}, by the last ${lookback_days} days.`
  const lines = gaps.map(({ severity, gap, author, message, files }) => {
    const shown = paint(severity === 'warning' ? 'yellow' : 'dim', severity.padEnd(7))
    return `${shown}  ${gap.toFixed(2)}  ${escapeInvisibleLine(author)}: ${escapeInvisibleLine(message)} (${formatCount(files, 'file')} of the change)`
  })
  return [...lines, `${formatCount(gaps.length, 'expertise gap')} of ${threshold} or more in ${scope}.`].join('\n')
}

function formatProfile(
  { profile, file, lookback_days }: ExpertiseAnswer,
  { paint, verbose }: Pick<View, 'paint' | 'verbose'>,
) {
  const { commits, authors } = profile!
  const shown = verbose ? authors : authors.slice(0, MOST_AUTHORS)
  const areas = (all: Record<string, { commits: number; share: number }>) =>
    Object.entries(all)
      .slice(0, verbose ? undefined : MOST_AREAS)
      .map(([name, own]) => `${escapeInvisibleLine(name)} ${own.commits} (${computePercent(own.share, 1, 0)} %)`)
      .join(', ')
  return [
    `${formatCount(commits, 'commit')} by ${formatCount(authors.length, 'author')} in the last ${lookback_days} days; in parentheses the part of all commits there.`,
    ...shown.flatMap(({ author, commits: own, languages, directories }) => [
      `${paint('bold', escapeInvisibleLine(author))}: ${formatCount(own, 'commit')}`,
      `  languages: ${areas(languages) || 'none'}`,
      `  directories: ${areas(directories) || 'none'}`,
    ]),
    authors.length > shown.length && paint('dim', `… ${authors.length - shown.length} more authors in ${file}`),
    `Written to ${file}.`,
  ]
    .filter(Boolean)
    .join('\n')
}
