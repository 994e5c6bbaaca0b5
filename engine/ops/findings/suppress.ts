import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { type } from 'arktype'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import { listKeys } from '../../base/records/rule-ids.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { quoteShellWord } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { makeFileMatcher } from '../../findings/suppression.ts'
import { addSuppression, isDate, readSuppressions, removeSuppressions } from '../../findings/suppression-file.ts'
import { addDays, formatSuppression, toSuppressionView } from '../../findings/suppression-list.ts'
import { SuppressionType } from '../../findings/suppression-schema.ts'
import { isContributorRule } from '../../scan/contributions.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { SUPPRESSIONS_PATH } from '../../sources/config/paths.ts'
import { requireRule } from '../../sources/packs/known-rule.ts'

/** The longest time that can be given in days: a hundred years. */
const MOST_DAYS = 36_500

/** Edits .svc/suppressions.yaml. */
export default defineOperation({
  id: 'findings.suppress',
  summary: 'Suppress the findings of a rule, with a reason and an expiry date, or list suppressions.',
  effect: 'write',
  action: ({ list }) => (list ? 'read_findings' : 'edit_config'),
  weakens: ({ list, remove }) => !list && !remove,
  cli: 'suppress',
  rest: 'POST /api/suppressions',
  mcp: null,
  input: type({
    'rule?': type('string > 0').describe('a rule id'),
    'file?': type('0 < string <= 1000').describe('a file, directory or glob from the root (default: every file)'),
    'reason?': type('0 < string <= 1000').describe('the reason for the suppression'),
    'expires?': type('string > 0').describe('an expiry date such as 2027-01-31, or a number of days from today'),
    'approved_by?': type('0 < string <= 1000').describe('the name of the approver'),
    remove: type('boolean').describe('true to remove the suppressions of the rule').default(false),
    list: type('boolean').describe('true to list the suppressions only').default(false),
    '+': 'reject',
  }),
  output: type({
    file: type('string').describe('the path of the suppressions file'),
    done: type("'listed' | 'added' | 'replaced' | 'removed'").configure(
      { description: 'the action performed' },
      'self',
    ),
    changed: type(SuppressionType.array()).describe('the entries added, replaced or removed'),
    suppressions: type(SuppressionType.array()).describe('all current entries of the file'),
  }),
  examples: [
    [
      'svc suppress --rule js-tls-reject-unauthorized-off --file "legacy/**" --expires 90 --reason "replaced in the autumn"',
      'suppress findings for 90 days',
    ],
    ['svc suppress --list', 'list suppressions with their expiry'],
    ['svc suppress --remove --rule js-tls-reject-unauthorized-off', 'remove the suppression'],
  ],

  check: async (input, context) => {
    const root = findRepositoryRoot(context.cwd)
    if (input.list) refuseOthers(input)
    else if (input.remove) await requirePresent(root, requireName(input.rule), input.file)
    else await readEntry(input, root, context.cwd, new Date())
  },

  async run(input, context) {
    const { rule, file, remove, list } = input
    const root = findRepositoryRoot(context.cwd)
    const now = new Date()
    const today = addDays(now)
    const answer = async (
      done: 'listed' | 'added' | 'replaced' | 'removed',
      isChanged: (of: { rule: string; file?: string }) => boolean,
    ) => {
      const suppressions = (await readSuppressions(root)).map(entry => toSuppressionView(entry, today))
      return { file: SUPPRESSIONS_PATH, done, changed: suppressions.filter(isChanged), suppressions }
    }
    if (list) {
      refuseOthers(input)
      return answer('listed', () => false)
    }
    const named = requireName(rule)
    if (remove) {
      await requirePresent(root, named, file)
      const gone = await removeSuppressions(root, entry => isEntryOf(entry, named, file))
      return {
        ...(await answer('removed', () => false)),
        changed: gone.map(entry => toSuppressionView(entry, today)),
      }
    }
    const done = await addSuppression(root, await readEntry(input, root, context.cwd, now))
    return answer(done, entry => entry.rule === rule && entry.file === file)
  },

  text({ done, changed, suppressions, file }, { paint }) {
    const lines = (of: typeof changed) => of.map(entry => `  ${formatSuppression(entry)}`).join('\n')
    if (done !== 'listed') return `${paint('green', done)} in ${file}\n${lines(changed)}`
    if (suppressions.length === 0) return 'Nothing is suppressed by file.'
    return suppressions
      .map(entry => (entry.state === 'expired' ? paint('dim', formatSuppression(entry)) : formatSuppression(entry)))
      .join('\n')
  },
})

/** USAGE where a list is asked for with anything else. */
function refuseOthers(input: object & { remove: boolean }): void {
  const other =
    Object.keys(input).find(key => !['list', 'remove'].includes(key)) ?? (input.remove ? 'remove' : undefined)
  if (other)
    throw new EngineError('USAGE', `--list takes no other option, but --${other.replaceAll('_', '-')} is given.`)
}

function requireName(rule: string | undefined): string {
  if (rule !== undefined) return rule
  throw new EngineError('USAGE', 'No rule is given.', { hint: 'Name it with --rule, or use --list.' })
}

/** Whether an entry is one of the rule, under its id or a former one, and of the file where one is given. */
function isEntryOf(entry: { rule: string; file?: string }, rule: string, file: string | undefined): boolean {
  return (entry.rule === rule || listKeys(rule).includes(entry.rule)) && (file === undefined || entry.file === file)
}

/** NOT_FOUND where no suppression of the rule is there, in the file where one is named. */
async function requirePresent(root: string, rule: string, file: string | undefined): Promise<void> {
  const present = await readSuppressions(root)
  if (present.some(entry => isEntryOf(entry, rule, file))) return
  const meant = findNearest(
    rule,
    present.map(entry => entry.rule).filter(id => id !== rule),
  )
  const where = file === undefined ? '' : ` in ${file}`
  throw new EngineError(
    'NOT_FOUND',
    `There is no suppression of ${rule}${where}${meant ? `; did you mean ${meant}?` : '.'}`,
    {
      hint: 'See them with `svc suppress --list`.',
    },
  )
}

/** The suppression that the input asks for. USAGE, INPUT_INVALID or NOT_FOUND where it can be none. */
async function readEntry(
  { file, reason, approved_by, ...input }: Given,
  root: string,
  cwd: string,
  now: Date,
): Promise<Parameters<typeof addSuppression>[1]> {
  const rule = requireName(input.rule)
  if (reason === undefined || reason.trim() === '')
    throw new EngineError('USAGE', `No reason is given for suppressing ${rule}.`, { hint: 'Say why with --reason.' })
  const expires = input.expires === undefined ? undefined : expiry(input.expires, now)
  if (!isContributorRule(rule)) await requireRule(root, rule)
  if (file !== undefined) checkFile(root, cwd, file)
  return {
    rule,
    ...(file !== undefined && { file }),
    reason,
    ...(expires !== undefined && { expires }),
    ...(approved_by !== undefined && { approved_by }),
  }
}

interface Given {
  rule?: string
  file?: string
  reason?: string
  expires?: string
  approved_by?: string
}

/** The date that `--expires` means; INPUT_INVALID where it is none, or past. */
function expiry(text: string, now: Date): string {
  const days = /^(\d{1,5})d?$/.exec(text)?.[1]
  if (days !== undefined && Number(days) >= 1 && Number(days) <= MOST_DAYS) return addDays(now, Number(days))
  if (!isDate(text)) {
    throw new EngineError(
      'INPUT_INVALID',
      `expires must be a date like 2027-01-31 or a number of days from 1 to ${MOST_DAYS}, but was ${JSON.stringify(text)}.`,
    )
  }
  if (text < addDays(now)) throw new EngineError('INPUT_INVALID', `expires must not be in the past, but was ${text}.`)
  return text
}

/** Refuses a path that would cover nothing: one of no file, or one typed from another directory than the repository's root. */
function checkFile(root: string, cwd: string, file: string): void {
  const typed = resolve(cwd, file)
  if (!existsSync(typed) || !isInside(root, typed)) {
    if (/[*?[{]/.test(file) || existsSync(join(root, file))) return
    throw new EngineError('INPUT_INVALID', `No file or directory ${JSON.stringify(file)} in the repository.`, {
      hint: 'Pass a path from the root of the repository, or a glob such as "legacy/**".',
    })
  }
  const covers = makeFileMatcher(file)
  const fromRoot = (path: string) => relative(root, path).split(sep).join('/')
  const meant = fromRoot(typed)
  const named = join(root, file)
  if (covers(meant) || (existsSync(named) && covers(fromRoot(named)))) return
  throw new EngineError('INPUT_INVALID', `${file} is not a path from the root of the repository.`, {
    hint: meant === '' ? 'Omit --file to cover every file.' : `Give --file ${quoteShellWord(meant)}`,
  })
}
