import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { addSuppression, isDate, readSuppressions, removeSuppressions } from '../../findings/suppression-file.ts'
import { addDays } from '../../findings/suppression-list.ts'
import { isContributorRule } from '../../scan/contributions.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { requireRule } from '../../sources/packs/known-rule.ts'

const Place = type({
  rule: type('0 < string <= 500').describe('a rule id'),
  file: type('0 < string <= 1000').describe('a file from the root'),
  '+': 'reject',
})

/** What a person selected in a list: a rule in a file, as often as there are such. All are checked before the first is written. */
export default defineOperation({
  id: 'findings.suppress-many',
  summary: 'Suppress rules in files, with one reason and expiry date for all, or take that back.',
  effect: 'write',
  action: 'edit_config',
  weakens: ({ undo }) => !undo,
  cli: null,
  rest: 'POST /api/suppressions/bulk',
  mcp: null,
  input: type({
    places: Place.array().atLeastLength(1).atMostLength(500).describe('rules with their files, 500 at most'),
    'reason?': type('0 < string <= 1000').describe('the reason for the suppressions'),
    'expires?': type('string > 0').describe('an expiry date such as 2027-01-31'),
    undo: type('boolean').describe('true to remove these suppressions').default(false),
    '+': 'reject',
  }),
  output: type({
    added: type(Place.array()).describe('the entries that are new: undo takes them back'),
    kept: type(Place.array()).describe('the entries that the file had already'),
    removed: type(Place.array()),
  }),

  async run({ places, reason, expires, undo }, { cwd }) {
    const root = findRepositoryRoot(cwd)
    const unique = [...new Map(places.map(place => [`${place.rule}\0${place.file}`, place])).values()]
    if (undo) {
      const removed: typeof places = []
      for (const { rule, file } of unique)
        if ((await removeSuppressions(root, rule, file)).length > 0) removed.push({ rule, file })
      return { added: [], kept: [], removed }
    }
    if (reason === undefined || reason.trim() === '')
      throw new EngineError('INPUT_INVALID', 'No reason is given for the suppressions.')
    if (expires !== undefined && (!isDate(expires) || expires < addDays(new Date())))
      throw new EngineError('INPUT_INVALID', `expires must be a date from today, but was ${JSON.stringify(expires)}.`)
    for (const rule of new Set(unique.map(({ rule }) => rule)))
      if (!isContributorRule(rule)) await requireRule(root, rule)
    const present = new Set((await readSuppressions(root)).map(({ rule, file }) => `${rule}\0${file}`))
    const isPresent = ({ rule, file }: (typeof places)[number]) => present.has(`${rule}\0${file}`)
    const added = unique.filter(place => !isPresent(place))
    for (const place of added)
      await addSuppression(root, { ...place, reason, ...(expires !== undefined && { expires }) })
    return { added, kept: unique.filter(isPresent), removed: [] }
  },

  text: ({ added, removed }) =>
    removed.length > 0
      ? `${formatCount(removed.length, 'suppression')} removed`
      : `${formatCount(added.length, 'suppression')} added`,
})
