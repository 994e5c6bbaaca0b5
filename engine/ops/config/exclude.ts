import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import type { Document } from 'yaml'
import { EngineError } from '../../base/errors.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { defineOperation } from '../../door/operation.ts'
import { editConfig, tryEdit } from '../../sources/config/edit.ts'
import { addEntries, removeEntries, toEntry } from '../../sources/config/excluded.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'

/** Edits scan_exclude in the root's configuration file. */
export default defineOperation({
  id: 'config.exclude',
  summary: 'Exclude files, directories or globs from the scan, or list the exclusions.',
  effect: 'write',
  action: ({ list }) => (list ? 'read_findings' : 'edit_config'),
  weakens: ({ list, remove }) => !list && !remove,
  cli: 'exclude [paths]',
  rest: null,
  mcp: null,
  input: type({
    paths: type('string > 0')
      .array()
      .describe('one or more files, directories or globs')
      .default(() => []),
    remove: type('boolean').describe('true to remove the paths from the exclusions').default(false),
    list: type('boolean').describe('true to list the exclusions only').default(false),
    '+': 'reject',
  }),
  output: type({ source: 'string | null', scan_exclude: 'string[]', added: 'string[]', removed: 'string[]' }),
  examples: [
    ['svc exclude third_party "**/*.min.js"', 'exclude a directory and a glob from the scan'],
    ['svc exclude --remove third_party', 'scan the directory again'],
    ['svc exclude --list', 'list the exclusions'],
  ],

  check: async (input, { cwd }) => {
    const { root, edit } = plan(input, cwd)
    if (!input.list) await tryEdit(root, edit)
  },

  async run(input, context) {
    const { remove, list } = input
    const { root, edit, changes } = plan(input, context.cwd)
    if (list) {
      const config = await loadConfig(root)
      return { source: config.sources[0] ?? null, scan_exclude: config.scan_exclude, added: [], removed: [] }
    }
    const { path, settings } = await editConfig(root, edit)
    if (!remove)
      for (const entry of changes)
        if (!/[*?[{(]/.test(entry) && !existsSync(join(root, entry))) context.notice(`${entry} does not exist now.`)
    return {
      source: path,
      scan_exclude: (settings.scan_exclude as string[] | undefined) ?? [],
      added: remove ? [] : changes,
      removed: remove ? changes : [],
    }
  },

  text({ source, scan_exclude, added, removed }, { paint }) {
    if (added.length > 0) return added.map(entry => `${paint('green', 'excluded')}  ${entry}`).join('\n')
    if (removed.length > 0) return removed.map(entry => `${paint('yellow', 'scanned again')}  ${entry}`).join('\n')
    return scan_exclude.length > 0 ? scan_exclude.join('\n') : `Nothing is excluded${source ? ` in ${source}` : ''}.`
  },
})

/** What is asked, checked as far as it can be without writing: the edit of the configuration, and what it comes to once it was made. */
function plan(
  { paths, remove, list }: { paths: readonly string[]; remove: boolean; list: boolean },
  cwd: string,
): { root: string; edit: (document: Document) => void; changes: string[] } {
  const root = findRepositoryRoot(cwd)
  if (list === paths.length > 0)
    throw new EngineError('USAGE', list ? '--list takes no paths.' : 'A path is missing.', {
      hint: 'Pass files, directories or globs, or use --list.',
    })
  const entries = paths.map(path => toEntry(root, cwd, path))
  const changes: string[] = []
  const edit = (document: Document) => {
    if (!remove) return void changes.push(...addEntries(document, entries))
    const { gone, missing, left } = removeEntries(document, entries)
    if (missing.length > 0) {
      const meant = findNearest(missing[0]!, left)
      throw new EngineError(
        'NOT_FOUND',
        `${missing[0]} is not in scan_exclude${meant ? `; did you mean ${meant}?` : '.'}`,
        {
          hint: 'See the list with `svc exclude --list`.',
        },
      )
    }
    changes.push(...gone)
  }
  return { root, edit, changes }
}
