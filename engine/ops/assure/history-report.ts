import { join, relative } from 'node:path'
import { type } from 'arktype'
import { renderReport, writePieces } from '../../assure/report.ts'
import { loadStoredModel } from '../../assure/stored.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { RatingType } from '../../base/records/rating-schema.ts'
import { groupDigits } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { openStore } from '../../sources/store/open.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'
import type { RunSummary } from '../../sources/store/runs.ts'

const Row = type({
  id: 'string',
  started_at: 'string',
  scope: 'string',
  'git_sha?': 'string',
  'branch?': 'string',
  files: 'number.integer',
  open: 'number.integer',
  critical: 'number.integer',
  high: 'number.integer',
  'rating?': RatingType,
  'score?': 'number',
})

/** The HTML report of a stored run, whole or for one framework; or the list of the runs that there are. */
export default defineOperation({
  id: 'assure.history-report',
  summary: 'Write the HTML report of an archived run, or list archived runs.',
  effect: 'write',
  action: 'read_findings',

  cli: 'history-report',
  rest: null,
  mcp: null,
  short: { run_id: 'r', list: 'l', framework: 'f', output: 'o' },
  examples: [
    ['svc history-report --list', 'list the runs, newest first'],
    ['svc history-report -r 20250131', 'write the report of the run with this ID prefix'],
    ['svc history-report -f owasp-top-10-2021 -o owasp.html', 'write the report for one framework'],
  ],

  input: type({
    run_id: type('string > 0').describe('a run id, its prefix, or latest').default('latest'),
    list: type('boolean').describe('true or false: list the archived runs and write no report').default(false),
    'framework?': type('string > 0').describe('a framework id; limits the report to its controls'),
    'output?': type('string > 0').describe('an output file (default: out/report-<id>.html)'),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),

  output: type({
    'runs?': Row.array(),
    /** Runs that are stored but cannot be read. */
    'damaged?': type({ id: 'string', reason: 'string' }).array(),
    'run_id?': 'string',
    'output?': 'string',
  }),

  async run({ run_id, list, framework, output, config }, { cwd, env, notice }) {
    const { root, notices } = await loadConfig(cwd, { path: config, env })
    for (const each of notices) notice(each)
    const out = await resolveOutputDirectory({ cwd, env })
    if (list) {
      const store = await openStore(out)
      const { runs, damaged } = await store.runs()
      store.close()
      return { runs: runs.map(row), damaged }
    }
    const model = await loadStoredModel(root, out, run_id, { framework, env, notice })
    const { id } = model.run
    if (output === undefined) makeOut(out)
    const path = output === undefined ? join(out, `report-${id}.html`) : resolveOutputFile(cwd, output)
    writePieces(path, renderReport('html', model))
    return { run_id: id, output: relative(cwd, path) || path }
  },

  text({ runs, damaged, run_id, output }, { quiet, paint }) {
    if (!runs) return quiet ? '' : `Wrote ${output} from run ${run_id}.`
    if (runs.length === 0 && !damaged?.length) return 'No runs yet. Run `svc scan` first.'
    const rows = runs.map(each => [
      each.id,
      each.started_at.replace('T', ' ').replace(/(\.\d+)?Z$/, ''),
      groupDigits(each.open),
      groupDigits(each.critical),
      groupDigits(each.high),
      each.rating ?? '–',
      [each.branch, each.git_sha?.slice(0, 8), each.scope === 'everything' ? '' : each.scope].filter(Boolean).join(' '),
    ])
    const [head, ...body] = columns([['run', 'started (UTC)', 'open', 'critical', 'high', 'rating', ''], ...rows])
    const broken = (damaged ?? []).map(each => paint('yellow', each.reason))
    return [paint('dim', head!), ...body, ...broken].join('\n')
  },
})

function row({ id, started_at, scope, git_sha, branch, counts, rating, score }: RunSummary): typeof Row.infer {
  return {
    id,
    started_at,
    scope,
    ...(git_sha === undefined ? {} : { git_sha }),
    ...(branch === undefined ? {} : { branch }),
    files: counts.files,
    open: counts.open,
    critical: counts.by_severity.critical,
    high: counts.by_severity.high,
    ...(rating === undefined ? {} : { rating }),
    ...(score === undefined ? {} : { score }),
  }
}

/** Lines with the cells of a column under one another; numbers stand to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map(cells => cells[at]!.length)))
  const isNumber = (at: number) => at >= 2 && at <= 5
  return rows.map(cells =>
    cells
      .map((cell, at) => (isNumber(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  )
}
