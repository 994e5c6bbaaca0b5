import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { compileGlob } from '../../base/text/glob.ts'
import { formatCount } from '../../base/text/words.ts'
import { isProgramFile } from '../../quality/sources.ts'
import { suggest } from '../requirements/collect.ts'
import type { RequirementSet } from '../requirements/model.ts'
import type { NamedHistory } from './history.ts'
import { RequirementIndex } from './ids.ts'
import { judgeRows, type Suspicions } from './judge.ts'
import { groupLinks, type Link, linkGlobs } from './links.ts'
import { RunIndex } from './match-runs.ts'
import {
  groupControls,
  makeRow,
  summarize,
  summarizeLevels,
  type TraceMatrix,
  type TraceProblem,
  type TraceRow,
} from './matrix.ts'
import type { PlacedTag, ReadTags } from './read-tags.ts'
import type { TestRuns } from './test-runs.ts'

/** Everything that a matrix is made of. */
export interface TraceInput {
  set: RequirementSet
  listing: Pick<Listing, 'files'>
  tags: ReadTags
  resolved: ResolvedLinks
  history: NamedHistory
  runs: TestRuns
  /** Globs of the files that must be linked to a requirement. */
  require_links: readonly string[]
  suspicions?: Suspicions
}

/** Places that one row lists; the rest is counted. */
const MOST_PLACES = 200

/** The links of tags and globs, with what is wrong with them. */
export interface ResolvedLinks {
  links: Link[]
  problems: TraceProblem[]
  /** Ids whose tags name another revision. */
  outdated: Map<string, string>
}

/** Resolves tags and globs to links. Sorted by requirement, role, file and line; each once. */
export function resolveLinks({ set, listing, tags }: Pick<TraceInput, 'set' | 'listing' | 'tags'>): ResolvedLinks {
  const index = new RequirementIndex(set)
  const problems: TraceProblem[] = set.faults.map(({ kind, file, line, id, message }) => ({
    ...{ kind, file, line, column: 1, message },
    ...(id !== undefined && { id }),
  }))
  const outdated = new Map<string, string>()
  const links: Link[] = []
  for (const tag of tags.tags) {
    const { file, line, column, id, symbol } = tag
    const found = index.resolve(id)
    const at = { file: file.path, line, column, id }
    if ('missing' in found) {
      // A tag of Gherkin may be about anything.
      if (tag.form !== 'gherkin')
        problems.push({ kind: 'dangling', ...at, message: `There is no requirement ${id}${suggest(id, set.byId)}.` })
      continue
    }
    const { requirement } = found
    if ('outdated' in found) {
      outdated.set(requirement.id, `${file.path} names ${found.outdated}`)
      problems.push({ kind: 'outdated', ...at, message: `The link names ${found.outdated} of ${requirement.id}.` })
    }
    if (requirement.status === 'obsolete')
      problems.push({ kind: 'obsolete', ...at, message: `The requirement ${requirement.id} is obsolete.` })
    links.push({
      ...{ id: requirement.id, role: findRole(tag), origin: 'tag', file: file.path, line },
      ...(symbol && { symbol: symbol.name }),
    })
  }
  const globs = linkGlobs(
    set.requirements.filter(({ status }) => status !== 'obsolete'),
    listing.files,
  )
  for (const { requirement, glob, field } of globs.idle) {
    const { id, file, line } = requirement
    const message = `The glob ${glob} of ${field} of ${id} matches no file.`
    problems.push({ kind: 'no_file', file, line, column: 1, id, message })
  }
  return { links: removeRepeated([...links, ...globs.links]), problems, outdated }
}

/** What a tag is about: what it says, else a test where it stands in one. */
function findRole({ isRoleOpen, role, file }: PlacedTag): Link['role'] {
  return isRoleOpen && file.in_test ? 'tests' : role
}

/** Builds the matrix. The same input gives the same matrix, in the order of the requirements. */
export function buildMatrix(input: TraceInput): TraceMatrix {
  const { set, listing, tags, history, runs } = input
  const { links, outdated } = input.resolved
  const problems = [...input.resolved.problems]
  const files = new Map(listing.files.map(file => [file.path, file]))
  const rows = [...set.byId.values()].map(makeRow)
  const byId = new Map(rows.map(row => [row.id, row]))
  const all = [...links, ...linkCommits(history, files, byId)]
  const runIndex = new RunIndex(runs, new Set(all.flatMap(({ role, file }) => (role === 'tests' ? [file] : []))))
  for (const link of all) addLink(byId.get(link.id)!, link, runIndex)
  for (const { name, ids } of history.branches) for (const id of ids) byId.get(id)?.branches.push(name)
  const suspicions = new Map([...outdated, ...(input.suspicions ?? [])])
  for (const { id, file, line } of judgeRows(rows, suspicions))
    problems.push({ kind: 'cycle', file, line, column: 1, id, message: `${id} is among its own ancestors.` })
  const orphans = findOrphans(listing.files, links, input.require_links)
  const missing = history.missing === undefined ? [] : [{ file: '.git', reason: history.missing }]
  return {
    summary: summarize(rows, orphans.length),
    levels: summarizeLevels(rows),
    rows,
    files: groupFiles(all),
    controls: groupControls(rows),
    orphans,
    problems: problems.sort(compareProblems),
    sources: set.sources,
    test_reports: runs.reports,
    not_evaluated: [...tags.unread.map(({ path, reason }) => ({ file: path, reason })), ...missing],
  }
}

function addLink(row: TraceRow, { role, file, line, symbol, origin }: Link, runs: RunIndex): void {
  const place = { file, line, ...(symbol !== undefined && { symbol }), origin }
  if (role === 'implements') {
    if (row.code.length < MOST_PLACES) row.code.push(place)
    else row.more_code++
  } else if (row.tests.length < MOST_PLACES) {
    const last_run = runs.find(file, symbol)
    row.tests.push({ ...place, ...(last_run && { last_run }) })
  } else row.more_tests++
}

/** What commits that name a requirement changed and is still there; their tests are tests. */
function linkCommits(
  { commits }: NamedHistory,
  files: ReadonlyMap<string, SourceFile>,
  rows: ReadonlyMap<string, TraceRow>,
): Link[] {
  const links: Link[] = []
  for (const { sha, subject, ids, files: changed } of commits)
    for (const id of ids) {
      rows.get(id)?.commits.push({ sha: sha.slice(0, 12), subject })
      for (const path of changed) {
        const file = files.get(path)
        if (file && isProgramFile(file))
          links.push({ id, role: file.in_test ? 'tests' : 'implements', origin: 'commit', file: path, line: 1 })
      }
    }
  return removeRepeated(links)
}

/** Each link once, by requirement, role, origin and place; a link to a whole file that a tag makes as well is the tag's. */
function removeRepeated(links: readonly Link[]): Link[] {
  const rank = { tag: 0, glob: 1, commit: 2 }
  // Sorted requirement by requirement: each has few links, and all together are many.
  return [...groupLinks(links)]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([, own]) => {
      own.sort(
        (a, b) =>
          compare(a.role, b.role) || rank[a.origin] - rank[b.origin] || compare(a.file, b.file) || a.line - b.line,
      )
      const seen = new Set<string>()
      return own.filter(({ role, file, line, symbol, origin }) => {
        const key = `${role}\0${file}`
        const exact = `${key}\0${symbol ?? line}`
        if (seen.has(origin === 'tag' ? exact : key)) return false
        seen.add(key)
        seen.add(exact)
        return true
      })
    })
}

/** Source files that globs of `require_links` take and that no tag or glob links. */
export function findOrphans(files: readonly SourceFile[], links: readonly Link[], globs: readonly string[]): string[] {
  if (globs.length === 0) return []
  const required = globs.map(compileGlob)
  const linked = new Set(links.map(({ file }) => file))
  return files
    .filter(file => isProgramFile(file) && !file.in_test && !linked.has(file.path))
    .filter(({ path }) => required.some(matches => matches(path)))
    .map(({ path }) => path)
}

function groupFiles(links: readonly Link[]): TraceMatrix['files'] {
  const files = new Map<string, { implements: Set<string>; tests: Set<string> }>()
  for (const { file, role, id } of links) {
    const known = files.get(file) ?? { implements: new Set(), tests: new Set() }
    files.set(file, known)
    known[role].add(id)
  }
  return [...files]
    .sort(([a], [b]) => compare(a, b))
    .map(([file, known]) => ({ file, implements: [...known.implements], tests: [...known.tests] }))
}

function compareProblems(a: TraceProblem, b: TraceProblem): number {
  return compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The counts in a sentence. */
export function describeSummary({ approved, drafts, obsolete, coverage, states }: TraceMatrix['summary']): string {
  const parts = [
    `${states.covered} covered`,
    `${states.partly} partly`,
    `${states.suspect} suspect`,
    `${states.untested} untested`,
    `${states.unimplemented} unimplemented`,
  ]
  const besides = [drafts > 0 && formatCount(drafts, 'draft'), obsolete > 0 && `${obsolete} obsolete`].filter(Boolean)
  const rest = besides.length === 0 ? '' : ` Not counted: ${besides.join(', ')}.`
  const percent = coverage === null ? 'no approved requirement' : `${coverage} % covered`
  return `${formatCount(approved, 'approved requirement')}, ${percent}: ${parts.join(', ')}.${rest}`
}
