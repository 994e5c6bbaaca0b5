import { type } from 'arktype'
import { computePercent } from '../../base/text/percent.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { findDuplicates } from '../../quality/duplicates/find.ts'

/** Classes, and occurrences of each, that a person is shown. */
const MOST_CLASSES = 20
const MOST_OCCURRENCES = 5

/** Lists code that is there more than once, the most first. */
export default defineOperation({
  id: 'quality.duplicates',
  summary: 'List duplicated code across files, as clone classes.',
  effect: 'read',
  action: 'read_metrics',
  cli: 'duplicates [...paths]',
  rest: null,
  mcp: null,
  examples: [
    ['svc duplicates', 'list the largest clones of the repository'],
    ['svc duplicates src --min-tokens 100', 'list larger clones of a directory'],
    ['svc duplicates --renamed', 'treat all names as equal'],
    ['svc duplicates --json | jq .duplicated_share', 'print the part of the lines that is duplicated'],
  ],
  input: type({
    paths: type('string[]')
      .describe('files, directories or globs from the root (default: every source file)')
      .default(() => []),
    min_tokens: type('10 <= number.integer <= 10000')
      .describe('the least number of tokens of a clone, 10 to 10000')
      .default(50),
    renamed: type('boolean')
      .describe('true or false: also find code that differs in the names of variables, functions and types')
      .default(false),
    'top?': type('1 <= number.integer <= 100000').describe('list at most this many classes (default in text: 20)'),
    '+': 'reject',
  }),
  output: type({
    files: 'number.integer',
    tokens: 'number.integer',
    lines: type('number.integer').describe('lines with a token'),
    duplicated_lines: type('number.integer').describe('lines with a token that is in a clone'),
    duplicated_share: type('0 <= number <= 1').describe('the part of the lines that is duplicated, from 0 to 1'),
    'top?': type('number.integer').describe('the number of classes that was asked for'),
    found: type('number.integer').describe('how many classes there are, those not listed included'),
    classes: type({
      id: 'string',
      tokens: 'number.integer',
      lines: 'number.integer',
      occurrences: type({ file: 'string', line: 'number.integer', end_line: 'number.integer' }).array(),
    }).array(),
    skipped: type({ '[string]': 'number' }).describe('source files left out, by reason'),
    bounded: type('boolean').describe(
      'true or false: whether clones were cut short, since code repeats itself too much',
    ),
  }),

  async run({ top, ...input }, context) {
    const { classes, ...rest } = await findDuplicates(input, context)
    const listed = top === undefined ? classes : classes.slice(0, top)
    return { ...rest, ...(top !== undefined && { top }), found: classes.length, classes: listed }
  },

  text(output, { paint, verbose }) {
    const { files, lines, duplicated_lines, found, classes, top, skipped, bounded } = output
    const shown = verbose || top !== undefined ? classes : classes.slice(0, MOST_CLASSES)
    const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
    return [
      ...shown.flatMap(({ id, tokens, lines: length, occurrences }) => [
        `${paint('bold', `${formatCount(length, 'line')}, ${groupDigits(tokens)} tokens`)}, ${occurrences.length} times  ${paint('dim', id)}`,
        ...(verbose ? occurrences : occurrences.slice(0, MOST_OCCURRENCES)).map(
          ({ file, line, end_line }) => `  ${escapeInvisibleLine(file)}:${line}-${end_line}`,
        ),
        !verbose &&
          occurrences.length > MOST_OCCURRENCES &&
          paint('dim', `  … ${occurrences.length - MOST_OCCURRENCES} more`),
      ]),
      found > shown.length &&
        paint('dim', `… ${formatCount(found - shown.length, 'more class', 'more classes')}: --json lists all`),
      `${formatCount(found, 'clone class', 'clone classes')} in ${formatCount(files, 'file')}: ${groupDigits(duplicated_lines)} of ${groupDigits(lines)} lines (${computePercent(duplicated_lines, lines) ?? 0} %) are duplicated.`,
      left.length > 0 && `Left out: ${left.join(', ')}.`,
      bounded && 'Code repeats itself so much that clones were cut short.',
    ]
      .filter(Boolean)
      .join('\n')
  },
})
