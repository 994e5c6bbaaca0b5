import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { readOwn } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import { findVulnerabilities, type VulnerabilityOptions } from './perform.ts'
import type { VulnerabilityReport } from './vulnerability.ts'

/** The report of the last run, in the output directory. */
export const VULNERABILITIES_FILE = 'vulnerabilities.json'

/** The stored report; made anew where that is asked for. RUN_NOT_FOUND where there is none, STORE_UNREADABLE where it cannot be read. */
export async function loadReport(
  refresh: boolean,
  context: Context,
  options: Pick<VulnerabilityOptions, 'readImports'> = {},
): Promise<VulnerabilityReport> {
  const config = await loadConfig(context.cwd, { env: context.env })
  const path = join(locateOutput(config.root, context.env, config.output_dir), VULNERABILITIES_FILE)
  if (refresh) {
    const { report } = await findVulnerabilities(config, options, context)
    writeOutput(path, `${JSON.stringify(report, null, 2)}\n`)
    return report
  }
  const bytes = readOwn(path)
  if (!bytes)
    throw new EngineError('RUN_NOT_FOUND', 'There is no vulnerability report of this repository yet.', {
      hint: 'Run `svc vulns`, or ask with refresh=true.',
    })
  try {
    const report = JSON.parse(bytes.toString('utf8')) as VulnerabilityReport
    if (Array.isArray(report.vulnerabilities) && report.source && typeof report.vulnerable_count === 'number')
      return report
  } catch {
    // Answered below: what is there is no report.
  }
  throw new EngineError(
    'STORE_UNREADABLE',
    `${VULNERABILITIES_FILE} in the output directory is no report of vulnerabilities.`,
    {
      hint: 'Run `svc vulns` to write it anew.',
    },
  )
}
