import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type } from 'arktype'
import { parseSourceDate } from '../../assure/model.ts'
import type { Context } from '../../base/context.ts'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { formatProposed } from '../../delivery/fix-requests/text.ts'
import { defineOperation } from '../../door/operation.ts'
import { type Config, loadConfig } from '../../sources/config/load.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { decideExit, findVulnerabilities } from '../../supply/advisories/perform.ts'
import { FixType, UnfixedType, VULNERABILITY_REPORT } from '../../supply/advisories/report-schema.ts'
import { VULNERABILITIES_FILE } from '../../supply/advisories/stored.ts'
import { formatVulnerabilities } from '../../supply/advisories/text.ts'
import { updateDatabase } from '../../supply/advisories/update-database.ts'
import { VEX_FORMATS, writeVex } from '../../supply/advisories/vex-write.ts'
import type { VulnerabilityReport } from '../../supply/advisories/vulnerability.ts'
import { applyFixes } from '../../supply/fixes/apply.ts'
import { planFixes } from '../../supply/fixes/plan.ts'
import { formatFixes } from '../../supply/fixes/text.ts'

/** Finds known vulnerabilities of dependencies, and changes manifests where that is asked for. */
export default defineOperation({
  id: 'supply.vulns',
  summary: 'Find known vulnerabilities in dependencies, and fix them.',
  effect: 'write',
  action: ({ fix, create_pr }) => (create_pr ? 'create_pr' : fix ? 'add_dependency' : 'run_scan'),
  cli: 'vulns [repo_path]',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  examples: [
    ['svc vulns', 'compare dependencies with the advisories of OSV'],
    ['svc vulns --update-db && svc vulns --offline', 'download advisories once, then call no service'],
    ['svc vulns --database advisories', "use a directory of OSV's exports"],
    ['svc vulns --fix-preview', 'show the smallest changes that remove vulnerabilities'],
    ['svc vulns --fix', 'change the manifests'],
    ['svc vulns --fix --create-pr', 'open a pull request for each fix; the work tree stays as it is'],
    ['svc vulns --vex vendor.openvex.json', 'leave out what a VEX document says is not affected'],
    ['svc vulns --vex-output vex.json --vex-author "Example Ltd"', 'write a VEX document'],
  ],

  input: type({
    repo_path: type('string > 0').describe('a path to the repository or a directory in it').default('.'),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    'output?': type('string > 0').describe('the file to write (default: vulnerabilities.json in the output directory)'),
    fix: type('boolean').describe('true or false: change manifests so that vulnerable versions go').default(false),
    fix_preview: type('boolean').describe('true or false: show the changes of fix and make none').default(false),
    create_pr: type('boolean')
      .describe('true or false: open a pull request with the changes; needs fix')
      .default(false),
    'database?': type('string > 0').describe(
      "a directory of OSV's exports or JSON advisories, or an index of one (default: vulns.database)",
    ),
    'offline?': type('boolean').describe('true or false: call no service (default: vulns.offline)'),
    refresh: type('boolean').describe('true or false: ask the API again, whatever the cache has').default(false),
    update_db: type('boolean')
      .describe(
        'true or false: download the advisories of the ecosystems in use, or index the configured directory anew',
      )
      .default(false),
    'vex?': type('string[]').describe(
      'VEX documents (OpenVEX, CycloneDX or CSAF) to apply, in addition to .svc/vex/*.json',
    ),
    'vex_output?': type('string > 0').describe('a VEX document to write about what was found'),
    'vex_format?': type
      .enumerated(...VEX_FORMATS)
      .configure({ description: 'openvex, cyclonedx or csaf: the format of vex_output (default: openvex)' }, 'self'),
    'vex_author?': type('0 < string <= 200').describe(
      'a person or an organization: who says what the document of vex_output says',
    ),
    '+': 'reject',
  }),
  output: type({
    ...VULNERABILITY_REPORT,
    file: type('string').describe('the file that was written'),
    'fixes?': FixType.array(),
    'unfixed?': UnfixedType.array(),
    'pull_requests?': type({
      package: 'string',
      to: 'string',
      branch: 'string',
      state: type.enumerated('created', 'updated', 'unchanged', 'skipped', 'failed'),
      'number?': 'number.integer',
      'url?': 'string',
      'reason?': 'string',
    })
      .array()
      .describe('the pull requests, one for each package that is raised'),
    'updated?': type({
      advisories: 'number.integer',
      ecosystems: 'string[]',
      faults: 'string[]',
      failed: 'string[]',
    }).describe('what the database contains now'),
  }),

  check: async (input, context) => {
    await loadChecked(input, context)
  },

  async run(input, context) {
    const config = await loadChecked(input, context)
    if (input.create_pr)
      await (await import('../../delivery/fix-requests/propose.ts')).requireCodeProvider(config, context)
    const { config: _config, output, repo_path: _path, fix, fix_preview, create_pr, update_db, ...more } = input
    const { vex_output, vex_format, vex_author, ...options } = more
    const out = locateOutput(config.root, context.env, config.output_dir)
    const file = resolveOutputFile(context.cwd, output ?? join(out, VULNERABILITIES_FILE))
    const { readImportedPackages: readImports } = await import('../../quality/architecture/imported.ts')
    const updated = update_db ? await updateDatabase(config, options, context) : undefined
    const assessment = await findVulnerabilities(
      config,
      // What was just downloaded is what is to be looked at.
      { ...options, readImports, ...(updated && options.database === undefined && { offline: true }) },
      context,
    )
    const { report } = assessment
    if (output === undefined) makeOut(out)
    writeOutput(file, `${JSON.stringify(report, null, 2)}\n`)
    if (vex_output !== undefined && vex_author !== undefined) {
      const now = parseSourceDate(context.env.SOURCE_DATE_EPOCH) ?? new Date(report.generated_at)
      const about = { author: vex_author, name: basename(config.root), now }
      writeOutput(resolveOutputFile(context.cwd, vex_output), writeVex(report, vex_format ?? 'openvex', about))
    }
    if (!fix && !fix_preview) return { ...report, file, ...(updated && { updated }) }
    const { fixes, unfixed } = await planFixes(config.root, assessment)
    if (create_pr) {
      const { proposeFixes } = await import('../../delivery/fix-requests/propose.ts')
      const pull_requests = await proposeFixes(config, fixes, context)
      const planned = fixes.map(one => ({ ...one.change, applied: false }))
      return { ...report, file, fixes: planned, unfixed, pull_requests, ...(updated && { updated }) }
    }
    const applied = fix ? applyFixes(config.root, fixes) : fixes.map(one => ({ ...one.change, applied: false }))
    return { ...report, file, fixes: applied, unfixed, ...(updated && { updated }) }
  },

  text({ fixes, unfixed, pull_requests, updated, file, ...report }, view) {
    const parts = [
      ...(updated
        ? [
            `Advisory database: ${updated.advisories} advisories of ${updated.ecosystems.join(', ')}.${updated.failed.map(one => `\n${view.paint('yellow', `not downloaded: ${one}`)}`).join('')}`,
          ]
        : []),
      formatVulnerabilities(report as VulnerabilityReport, view),
      ...(fixes ? [formatFixes(fixes, unfixed ?? [], view)] : []),
      ...(pull_requests ? [formatProposed(pull_requests)] : []),
    ]
    return parts.join('\n')
  },

  exit: report => decideExit(report as unknown as VulnerabilityReport),
})

interface Given {
  repo_path: string
  config?: string
  fix: boolean
  fix_preview: boolean
  create_pr: boolean
  vex_output?: string
  vex_format?: string
  vex_author?: string
}

/** The configuration of the directory that is named; USAGE for options that exclude or need each other. */
async function loadChecked(input: Given, context: Context): Promise<Config> {
  if (input.create_pr && !input.fix) throw new EngineError('USAGE', '--create-pr needs --fix.')
  if (input.vex_output !== undefined && input.vex_author === undefined)
    throw new EngineError('USAGE', '--vex-output needs --vex-author: a VEX document says who states it.')
  if (input.vex_format !== undefined && input.vex_output === undefined)
    throw new EngineError('USAGE', '--vex-format needs --vex-output: the file to write.')
  if (input.fix && input.fix_preview) throw new EngineError('USAGE', '--fix and --fix-preview exclude each other.')
  const start = resolve(context.cwd, input.repo_path)
  if (!existsSync(start)) throw new EngineError('REPO_NOT_FOUND', `There is no directory ${input.repo_path}.`)
  return loadConfig(start, {
    env: context.env,
    ...(input.config !== undefined && { path: resolve(context.cwd, input.config) }),
  })
}
