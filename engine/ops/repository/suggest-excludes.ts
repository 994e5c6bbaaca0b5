import { type } from 'arktype'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount, groupDigits, quoteShellWord } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { discover } from '../../sources/repository/discover.ts'
import { findForeignDirectories } from '../../sources/repository/foreign/folders.ts'
import { listLooked } from '../../sources/repository/foreign/look.ts'
import { type ForeignEvidence, type Suggestion, suggest } from '../../sources/repository/foreign/suggest.ts'

/** Suggestions that a person is shown; --json has them all. */
const SHOWN = 40

/** Looks for code that nobody here wrote. Writes nothing: the command that would is part of the answer. */
export default defineOperation({
  id: 'repository.suggest-excludes',
  summary: 'Suggest scan exclusions: vendored, generated and minified files, with evidence.',
  effect: 'read',
  cli: 'suggest-excludes',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    suggestions: type({
      path: type('string').describe('an entry for scan_exclude: a directory, a glob or a file'),
      kind: type("'vendored' | 'generated' | 'minified'").configure({ description: 'the kind of files' }, 'self'),
      files: 'number.integer',
      bytes: 'number.integer',
      evidence: type({ file: 'string', 'line?': 'number.integer', what: 'string' }).array(),
      already_left_out: type('boolean').describe('whether most rules already skip it'),
      'command?': type('string').describe('the command that excludes it'),
    }).array(),
    'command?': type('string').describe('the command that excludes all suggestions'),
    files: type('number.integer').describe('the number of files that the command excludes'),
    bytes: 'number.integer',
    files_scanned: type('number.integer').describe('the number of files currently scanned'),
  }),
  examples: [['svc suggest-excludes', 'list directories to exclude, with the command']],

  async run(_input, { cwd, env, signal }) {
    const config = await loadConfig(cwd, { env })
    const listing = await discover(config.root, { exclude: config.scan_exclude, signal })
    const looked = listLooked(listing, signal)
    const folders = findForeignDirectories(listing.files.map(({ path }) => path))
    const found = suggest(looked, folders)
    // Minified files are found by measuring, which a scan does too.
    const minified = new Set(looked.flatMap(({ path, sign }) => (sign?.kind === 'minified' ? path : [])))
    const now = found.map(suggestion => ({ ...suggestion, already_left_out: minified.has(suggestion.path) }))
    const entry = (path: string, kind: 'generated' | 'vendored', what: string) => {
      const evidence: ForeignEvidence[] = [{ file: path, what }]
      return { path, kind, files: 1, bytes: 0, evidence, already_left_out: true }
    }
    const installed = listing.skipped.filter(({ reason }) => reason === 'vendored')
    const marked = [
      ...listing.files.flatMap(file =>
        file.class ? entry(file.path, file.class, `linguist-${file.class} in .gitattributes`) : [],
      ),
      ...installed.map(({ path, detail }) => entry(path, 'vendored', detail ?? 'vendored')),
    ]
    const isMarked = new Set(marked.map(({ path }) => path))
    const open = now.filter(({ path, already_left_out }) => !already_left_out && !isMarked.has(path))
    const suggestions = [...now.filter(({ path }) => !isMarked.has(path)), ...marked]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(suggestion =>
        suggestion.already_left_out ? suggestion : { ...suggestion, command: commandFor([suggestion]) },
      )
    return {
      suggestions,
      ...(open.length > 0 && { command: commandFor(open) }),
      files: total(open, 'files'),
      bytes: total(open, 'bytes'),
      files_scanned: listing.files.length,
    }
  },

  text({ suggestions, command, files, files_scanned }, { paint, verbose }) {
    const open = suggestions.filter(({ already_left_out }) => !already_left_out)
    const already = suggestions.length - open.length
    const rest =
      already > 0
        ? `${formatCount(already, 'file or folder', 'files and folders')} of the kind ${already === 1 ? 'is' : 'are'} searched for secrets and severe findings only, by .gitattributes or because they are minified.`
        : ''
    if (open.length === 0) return ['No candidates for exclusion.', rest].filter(Boolean).join(' ')
    const shown = verbose ? open : open.slice(0, SHOWN)
    const lines = shown.flatMap(({ path, kind, files: count, evidence }) => [
      `${paint('bold', escapeInvisibleLine(path))}  ${kind}, ${formatCount(count, 'file')}`,
      ...evidence
        .slice(0, verbose ? evidence.length : 1)
        .map(({ file, line, what }) =>
          paint('dim', `    ${escapeInvisibleLine(file)}${line === undefined ? '' : `:${line}`}: ${what}`),
        ),
    ])
    if (shown.length < open.length) lines.push(`and ${open.length - shown.length} more; -v shows all of them`)
    return [
      lines.join('\n'),
      `${formatCount(files, 'file')} of ${groupDigits(files_scanned)} would be excluded. ${rest}`.trim(),
      `Review them, then run:\n  ${paint('cyan', command!)}`,
    ].join('\n\n')
  },
})

function commandFor(suggestions: readonly Pick<Suggestion, 'path'>[]): string {
  return `svc exclude ${suggestions.map(({ path }) => quoteShellWord(path)).join(' ')}`
}

function total(suggestions: readonly Suggestion[], key: 'files' | 'bytes'): number {
  return suggestions.reduce((sum, suggestion) => sum + suggestion[key], 0)
}
