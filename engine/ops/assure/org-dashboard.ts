import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type } from 'arktype'
import { checkOutput, type Delivered, deliver } from '../../assure/documents/deliver.ts'
import { PROJECT_STATE_WORDS, renderOrganizationHtml } from '../../assure/documents/organization.ts'
import { StateCountsType } from '../../assure/documents/schema.ts'
import { parseSourceDate } from '../../assure/model.ts'
import { makeStoredOrganization, type Organization, PROJECT_STATES } from '../../assure/organization/overview.ts'
import { readOrganization } from '../../assure/organization/read.ts'
import type { Context } from '../../base/context.ts'
import { isFolder } from '../../base/disk/output-file.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { EngineError } from '../../base/errors.ts'
import { SeverityCountsType } from '../../base/records/finding-schema.ts'
import { RatingType } from '../../base/records/rating-schema.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'

const Framework = type({
  id: 'string',
  name: 'string',
  'coverage?': 'number',
  counts: StateCountsType,
})

/** Repositories that the terminal lists; -v lists all. */
const LISTED = 20

/** The repositories below a directory, side by side. */
export default defineOperation({
  id: 'assure.org-dashboard',
  summary: 'Show the compliance of all repositories below a directory, worst first.',
  effect: 'read',
  cli: 'org-dashboard',
  rest: 'GET /api/org/projects',
  mcp: null,
  short: { root: 'r', output: 'o' },
  examples: [
    ['svc org-dashboard --root ~/work', 'list all repositories below a directory'],
    ['svc org-dashboard -r ~/work -o organization.html', 'write the dashboard as one HTML file'],
    ['svc org-dashboard --stale-days 2', 'list the projects of the run store that fleet.store names'],
  ],
  input: type({
    'root?': type('string > 0').describe(
      'a directory (default: the run store if fleet.store is set, else the working directory, over HTTP its parent)',
    ),
    stale_days: type('1 <= number.integer <= 3650').describe('days after which a scan is stale, 1 to 3650').default(30),
    'output?': type('string > 0').describe('an HTML file to write, or - for standard output'),
    '+': 'reject',
  }),
  output: type({
    date: type('string').describe('the day that staleness is judged at'),
    stale_days: 'number.integer',
    statistics: type({
      projects: 'number.integer',
      by_state: type({
        current: 'number.integer',
        stale: 'number.integer',
        partial: 'number.integer',
        never_scanned: 'number.integer',
        unreadable: 'number.integer',
        settings_unreadable: 'number.integer',
      }),
      open: 'number.integer',
      by_severity: SeverityCountsType,
      by_rating: type({ '[string]': 'number.integer' }),
      gates_failed: 'number.integer',
      worse: 'number.integer',
      better: 'number.integer',
    }),
    frameworks: type({
      id: 'string',
      name: 'string',
      projects: 'number.integer',
      counts: StateCountsType,
      'coverage?': 'number',
    }).array(),
    projects: type({
      path: 'string',
      state: type.enumerated(...PROJECT_STATES),
      'name?': 'string',
      'run_id?': 'string',
      'scanned_at?': 'string',
      'age_days?': 'number.integer',
      'git_sha?': 'string',
      'branch?': 'string',
      'rating?': RatingType,
      'gate?': 'boolean',
      'posture?': type('number').describe('posture score, 0 to 100, of repositories in a run store'),
      'gate_run_id?': type('string').describe(
        'the run that the gate ran in, if that is an earlier one of the same tree',
      ),
      'open?': type('number.integer').describe('findings that are not suppressed, those in the baseline included'),
      'baseline?': type('number.integer').describe('how many of them are in the baseline'),
      'by_severity?': SeverityCountsType,
      'change?': 'number.integer',
      'not_evaluated?': 'number.integer',
      'unreadable_runs?': type('number.integer').describe('runs newer than the one shown that cannot be read'),
      frameworks: Framework.array(),
    }).array(),
    omitted: type('string[]').describe('what was not searched or read, each in a sentence'),
    'content?': 'string',
    'output?': 'string',
    'bytes?': 'number.integer >= 0',
  }),

  async run({ root, stale_days, output }, context) {
    checkOutput(context, output)
    const today = (parseSourceDate(context.env.SOURCE_DATE_EPOCH) ?? new Date()).toISOString().slice(0, 10)
    const organization =
      (root === undefined ? await readStored(context, today, stale_days) : undefined) ??
      (await readOrganization(resolveRoot(root, context), today, stale_days))
    const delivered: Delivered =
      output === undefined
        ? {}
        : await deliver(context, renderOrganizationHtml(organization), { output, name: 'organization.html' })
    return { ...organization, ...delivered }
  },

  text({ statistics, projects, omitted, content, output }, { paint, verbose, quiet }) {
    if (content !== undefined) return content
    const count = formatCount(statistics.projects, 'repository', 'repositories')
    if (output !== undefined) return quiet ? '' : `Wrote ${output}: ${count}.`
    const shown = verbose ? projects : projects.slice(0, LISTED)
    const width = Math.max(0, ...shown.map(({ path }) => escapeInvisibleLine(path).length))
    const rows = shown.map(({ path, state, rating, open, change, scanned_at, unreadable_runs }) => {
      const moved = change === undefined || change === 0 ? '' : ` (${change > 0 ? '+' : ''}${change})`
      const last = scanned_at === undefined ? '' : scanned_at.slice(0, 10)
      const faults = [
        ...(state === 'current' ? [] : [PROJECT_STATE_WORDS[state]]),
        ...(unreadable_runs ? [`${formatCount(unreadable_runs, 'newer run')} cannot be read`] : []),
      ]
      const note = faults.length === 0 ? '' : paint('yellow', `  ${faults.join(', ')}`)
      return `${(rating ?? '?').padEnd(2)}  ${escapeInvisibleLine(path).padEnd(width)}  ${`${open ?? '–'}${moved}`.padStart(12)}  ${last}${note}`
    })
    const more = projects.length - shown.length
    const states = (['stale', 'partial', 'unreadable', 'settings_unreadable', 'never_scanned'] as const)
      .filter(state => statistics.by_state[state] > 0)
      .map(state => `, ${statistics.by_state[state]} ${PROJECT_STATE_WORDS[state]}`)
      .join('')
    const isKnown = projects.some(({ open }) => open !== undefined)
    const open = isKnown ? formatCount(statistics.open, 'open finding') : 'open findings unknown'
    return [
      paint('bold', `${count}: ${open}${states}`),
      ...rows,
      ...(more > 0 ? [`... and ${more} more (-v)`] : []),
      ...omitted.map(each => paint('yellow', each)),
    ].join('\n')
  },
})

/** The organization by the run store of `fleet.store`; undefined where none is set. */
async function readStored(context: Context, date: string, stale_days: number): Promise<Organization | undefined> {
  const { fleet } = await loadConfig(context.cwd, { env: context.env })
  if (fleet.store === undefined) return undefined
  const { openMirror } = await import('../../fleet/store/mirror.ts')
  const mirror = await openMirror(fleet.store, context)
  try {
    const { rows, omitted } = await mirror.latest()
    return makeStoredOrganization(rows, { date, stale_days, omitted })
  } finally {
    await mirror.close()
  }
}

/** The directory to search. Over HTTP it is below the parent of the server's repository: a client must not search the machine. */
function resolveRoot(root: string | undefined, { cwd, surface }: Pick<Context, 'cwd' | 'surface'>): string {
  const parent = dirname(findRepositoryRoot(cwd))
  const path = resolve(cwd, root ?? (surface === 'cli' ? '.' : parent))
  if (!isFolder(path)) throw new EngineError('NOT_FOUND', `There is no directory ${root ?? path}.`)
  if (surface !== 'cli' && !isInside(realpathSync.native(parent), realpathSync.native(path)))
    throw new EngineError('PATH_ESCAPES', 'The directory is outside of the parent of the server’s repository.', {
      hint: 'Start the dashboard in a repository below it, or use `svc org-dashboard --root`.',
    })
  return path
}
