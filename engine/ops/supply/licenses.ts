import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type } from 'arktype'
import { resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import type { OwnFiles } from '../../supply/licenses/own/report.ts'
import { OWN_FILES } from '../../supply/licenses/own/report-schema.ts'
import { formatOwnFiles } from '../../supply/licenses/own/text.ts'
import { findLicenses, LICENSES_FILE } from '../../supply/licenses/perform.ts'
import { decideLicenseExit, type LicenseReport } from '../../supply/licenses/report.ts'
import { LICENSE_REPORT } from '../../supply/licenses/report-schema.ts'
import { formatLicenses } from '../../supply/licenses/text.ts'

/** Lists the licenses of dependencies with what they ask for, judges them by the policy, and writes an attribution file. */
export default defineOperation({
  id: 'supply.licenses',
  summary: 'List the licenses of dependencies, with risk, copyleft and the policy.',
  effect: 'write',
  action: 'run_scan',
  cli: 'licenses [repo_path]',
  rest: null,
  mcp: null,
  short: { output: 'o' },
  examples: [
    ['svc licenses', 'list what lock files and installed packages say'],
    ['svc licenses --copyleft-only', 'list copyleft licenses alone'],
    ['svc licenses --registry', 'ask the package registries for what is not known'],
    ['svc licenses --notices NOTICES.txt', 'write an attribution file'],
    ['svc licenses --files', "check license tags of the repository's own files (REUSE)"],
  ],

  input: type({
    repo_path: type('string > 0').describe('a path to the repository or a directory in it').default('.'),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    'output?': type('string > 0').describe('the file to write (default: licenses.json in the output directory)'),
    copyleft_only: type('boolean')
      .describe('true or false: list dependencies with a copyleft license alone')
      .default(false),
    registry: type('boolean')
      .describe('true or false: ask the registries that the lock file or the package manager names')
      .default(false),
    'notices?': type('string > 0').describe('an attribution file to write: packages, licenses and their texts'),
    files: type('boolean')
      .describe("true or false: also read the license tags of the repository's own files")
      .default(false),
    '+': 'reject',
  }),
  output: type({
    ...LICENSE_REPORT,
    file: type('string').describe('the file that was written'),
    'notices_file?': type({
      file: 'string',
      without_text: type('number.integer').describe('packages with the text of SPDX instead of a file of their own'),
      unknown: type('number.integer').describe('packages whose license is not known, without a text'),
    }),
    'files?': OWN_FILES,
  }),

  async run({ repo_path, config: named, output, copyleft_only, registry, notices, files }, context) {
    const start = resolve(context.cwd, repo_path)
    if (!existsSync(start)) throw new EngineError('REPO_NOT_FOUND', `There is no directory ${repo_path}.`)
    const config = await loadConfig(start, {
      env: context.env,
      ...(named !== undefined && { path: resolve(context.cwd, named) }),
    })
    const out = locateOutput(config.root, context.env, config.output_dir)
    const file = resolveOutputFile(context.cwd, output ?? join(out, LICENSES_FILE))
    const { report, inventory, findLocal } = await findLicenses(config, { registry }, context)
    if (output === undefined) makeOut(out)
    writeOutput(file, `${JSON.stringify(report, null, 2)}\n`)
    let noticesFile: { file: string; without_text: number; unknown: number } | undefined
    if (notices !== undefined) {
      const { makeAttribution } = await import('../../supply/licenses/attribution.ts')
      const { text, withoutFile, unknown } = makeAttribution(report.dependencies, inventory.components, findLocal)
      const path = resolveOutputFile(context.cwd, notices)
      writeOutput(path, text)
      noticesFile = {
        file: relative(context.cwd, path) || path,
        without_text: withoutFile.length,
        unknown: unknown.length,
      }
    }
    let own: OwnFiles | undefined
    if (files) {
      const { checkOwnFiles } = await import('../../supply/licenses/own/check.ts')
      own = await checkOwnFiles(config, context)
    }
    return {
      ...report,
      ...(copyleft_only && { dependencies: report.dependencies.filter(({ copyleft }) => copyleft) }),
      file: relative(context.cwd, file) || file,
      ...(noticesFile && { notices_file: noticesFile }),
      ...(own && { files: own }),
    }
  },

  text({ file: _, notices_file, files, ...report }, view) {
    const written = notices_file && [
      `Attribution file: ${escapeInvisibleLine(notices_file.file)}.`,
      ...(notices_file.without_text > 0
        ? [
            `${formatCount(notices_file.without_text, 'package')} without a license file here: the text is SPDX's, without a copyright line.`,
          ]
        : []),
      ...(notices_file.unknown > 0
        ? [
            view.paint(
              'yellow',
              `${formatCount(notices_file.unknown, 'package')} without a known license: nothing of theirs is in it.`,
            ),
          ]
        : []),
    ]
    return [
      formatLicenses(report as unknown as LicenseReport, view),
      ...(written ?? []),
      ...(files ? [formatOwnFiles(files as OwnFiles, view)] : []),
    ].join('\n')
  },

  exit: report => decideLicenseExit(report as unknown as LicenseReport),
})
