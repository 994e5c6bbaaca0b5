import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { addSuppressions, isDate, readSuppressions, removeSuppressions } from '../../findings/suppression-file.ts'
import { addDays } from '../../findings/suppression-list.ts'
import { isContributorRule } from '../../scan/contributions.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { requireRules } from '../../sources/packs/known-rule.ts'

const Place = type({
  rule: type('0 < string <= 500').describe('a rule id'),
  file: type('0 < string <= 1000').describe('a file from the root'),
  '+': 'reject',
})

/** What a person selected in a list: a rule in a file, as often as there are such. All are checked, and written in one step. */
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

  check: async (input, { cwd }) => {
    if (!input.undo) await requireEntries(input, findRepositoryRoot(cwd))
  },

  async run({ places, reason, expires, undo }, { cwd }) {
    const root = findRepositoryRoot(cwd)
    const unique = [...new Map(places.map(place => [keyOf(place), place])).values()]
    if (undo) {
      const meant = new Set(unique.flatMap(place => [keyOf(place), keyOf({ ...place, file: writeName(place.file) })]))
      const gone = await removeSuppressions(
        root,
        ({ rule, file }) => file !== undefined && meant.has(keyOf({ rule, file })),
      )
      const keys = new Set(gone.map(({ rule, file = '' }) => keyOf({ rule, file })))
      const isGone = ({ rule, file }: typeof Place.infer) =>
        keys.has(keyOf({ rule, file })) || keys.has(keyOf({ rule, file: writeName(file) }))
      return { added: [], kept: [], removed: unique.filter(isGone) }
    }
    const given = await requireEntries({ places, reason, expires }, root)
    const present = new Set((await readSuppressions(root)).map(({ rule, file = '' }) => keyOf({ rule, file })))
    const isPresent = ({ rule, file }: typeof Place.infer) =>
      present.has(keyOf({ rule, file })) || present.has(keyOf({ rule, file: writeName(file) }))
    const added = unique.filter(place => !isPresent(place))
    if (added.length > 0)
      await addSuppressions(
        root,
        added.map(({ rule, file }) => ({
          rule,
          file: writeName(file),
          reason: given,
          ...(expires !== undefined && { expires }),
        })),
      )
    return { added, kept: unique.filter(isPresent), removed: [] }
  },

  text: ({ added, removed }) =>
    removed.length > 0
      ? `${formatCount(removed.length, 'suppression')} removed`
      : `${formatCount(added.length, 'suppression')} added`,
})

/** The reason of entries that can be added; INPUT_INVALID or RULE_NOT_FOUND where they cannot. */
async function requireEntries(
  { places, reason, expires }: Pick<Given, 'places' | 'reason' | 'expires'>,
  root: string,
): Promise<string> {
  if (reason === undefined || reason.trim() === '')
    throw new EngineError('INPUT_INVALID', 'No reason is given for the suppressions.')
  if (expires !== undefined && (!isDate(expires) || expires < addDays(new Date())))
    throw new EngineError('INPUT_INVALID', `expires must be a date from today, but was ${JSON.stringify(expires)}.`)
  for (const { file } of places) checkFile(root, file)
  await requireRules(
    root,
    [...new Set(places.map(({ rule }) => rule))].filter(rule => !isContributorRule(rule)),
  )
  return reason
}

interface Given {
  places: readonly (typeof Place.infer)[]
  reason?: string | undefined
  expires?: string | undefined
}

function keyOf({ rule, file }: typeof Place.infer): string {
  return `${rule}\0${file}`
}

const GLOB = /[*?[\]{}\\]/

/** A file's name as a glob that takes this file alone: a repository may have a file named `**`. */
function writeName(file: string): string {
  return file.replace(/[*?[\]{}\\]/g, '\\$&')
}

/** INPUT_INVALID for what is no file's path from the root: such an entry would cover nothing, or more than was selected. */
function checkFile(root: string, file: string): void {
  const isPath = file.split('/').every(part => part.trim() !== '' && part !== '.' && part !== '..')
  // Of an archive's content, the archive is looked at.
  const look = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false })
  const entry = isPath ? (look(file) ?? look(file.split('!')[0]!)) : undefined
  if (isPath && !entry?.isDirectory() && (entry !== undefined || !GLOB.test(file))) return
  throw new EngineError('INPUT_INVALID', `${JSON.stringify(file)} is no path of a file from the root.`, {
    hint: 'Pass the file of a finding. A directory or a glob is suppressed with POST /api/suppressions.',
  })
}
