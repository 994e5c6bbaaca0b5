import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { Context } from '../base/context.ts'
import { isInside } from '../base/disk/project-write.ts'
import { readRegular } from '../base/disk/read.ts'
import type { NotEvaluated, Notice } from '../base/records/run.ts'
import type { Listing } from '../base/records/source-file.ts'
import { decode } from '../base/text/decode.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { formatCount } from '../base/text/words.ts'
import type { Contribution } from '../findings/contribution.ts'
import { importSarif, type LeftOut, type SarifImport } from '../findings/import-sarif.ts'
import type { Config } from '../sources/config/load.ts'
import { CONFIG_PATH } from '../sources/config/paths.ts'
import type { Settings } from '../sources/config/schema.ts'
import { runCommand } from './command.ts'
import { makeGround } from './ground.ts'
import { checkTrust } from './trust.ts'

type Scanner = Settings['external_scanners'][string]

/** Larger reports are not read. */
const MOST_REPORT = 512 << 20

export interface ExternalRequest {
  config: Config
  listing: Listing
  /** Why configured commands may not be run, whoever trusts them; reports are read all the same. */
  refusal?: string
}

/**
 * Runs the enabled scanners of the configuration whose command the user has trusted (trust.ts), or reads their reports. A scanner that fails, or is
 * not trusted, is listed as not evaluated and fails nothing else.
 */
export async function runScanners(
  { config, listing, refusal }: ExternalRequest,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<Contribution> {
  const ground = makeGround(listing, config)
  const contribution: Contribution = { findings: [], notices: [], notEvaluated: [] }
  const mayNotRun = (name: string, command: readonly string[]): string | undefined => {
    if (refusal !== undefined) return refusal
    const trust = checkTrust(config.root, name, command, env)
    return trust.trusted ? undefined : trust.because
  }
  for (const [name, scanner] of Object.entries(config.external_scanners).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!scanner.enabled) continue
    const fail = (detail: string, reason: NotEvaluated['reason'] = 'scanner_failed') =>
      contribution.notEvaluated.push({ rule_id: `${name}:*`, reason, detail: escapeInvisibleLine(detail) })
    const untrusted = scanner.command && mayNotRun(name, scanner.command)
    if (untrusted !== undefined) {
      fail(untrusted, 'scanner_not_run')
      continue
    }
    const log = await logOf(scanner, config.root, { env, signal })
    if ('failure' in log) {
      fail(log.failure)
      continue
    }
    try {
      const found = importSarif(log.text, { ...ground, name, git_sha: listing.git_sha })
      for (const finding of found.findings) contribution.findings.push(finding)
      for (const failure of found.failures) fail(failure)
      contribution.notices.push(...noticesOf(name, found, scanner.report ?? CONFIG_PATH))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      fail(`its report cannot be read: ${error.message}${log.said}`)
    }
  }
  return contribution
}

/** The scanner's SARIF text, and what its program said on standard error, for a report that turns out to be none. */
async function logOf(
  { command, report, timeout_seconds }: Scanner,
  root: string,
  context: Pick<Context, 'env' | 'signal'>,
): Promise<{ text: string; said: string } | { failure: string }> {
  if (!command && !report) return { failure: 'the configuration names neither its command nor its report' }
  const before = command && report ? digestOf(reportBytes(root, report)) : undefined
  let said = ''
  let printed: Uint8Array | undefined
  if (command) {
    const result = await runCommand(command, { cwd: root, ...context, timeout_ms: timeout_seconds * 1000 })
    if ('failure' in result) return result
    const line = result.stderr.trim().split('\n').at(-1)?.trim().slice(0, 200)
    said = `; its program ended with ${result.code ?? 'a signal'}${line ? ` and said: ${line}` : ''}`
    printed = result.stdout
    // A report of an earlier run must not stand for one that was not written.
    if (report && result.code !== 0 && digestOf(reportBytes(root, report)) === before)
      return { failure: `no new report was written to ${report}${said}` }
  }
  const bytes = report ? reportBytes(root, report) : printed!
  if (typeof bytes === 'string') return { failure: `${bytes}${said}` }
  const decoded = decode(bytes)
  if ('skip' in decoded) return { failure: `its report is not valid text${said}` }
  return { text: decoded.text, said }
}

/** The report's bytes, or why there are none. */
function reportBytes(root: string, report: string): Uint8Array | string {
  const path = resolve(root, report)
  if (!isInside(root, path)) return `its report ${report} is outside the repository`
  const content = readRegular(path, MOST_REPORT)
  if (content instanceof Uint8Array) return content
  if (content.reason === 'vanished') return `its report ${report} is not there`
  return `its report ${report} cannot be read: ${content.detail ?? content.reason.replaceAll('_', ' ')}`
}

function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function noticesOf(name: string, { outside, excluded, unplaced, defects }: SarifImport, file: string): Notice[] {
  const notices: Notice[] = []
  const say = (kind: Notice['kind'], detail: string) =>
    notices.push({ kind, file, detail: escapeInvisibleLine(detail) })
  const left = (kind: Notice['kind'], { count, names }: LeftOut, one: string, many: string) => {
    if (count === 0) return
    const some = names.join(', ') + (count > names.length ? ', …' : '')
    const verbs = count === 1 ? `${one} and is` : `${many} and are`
    say(kind, `${formatCount(count, 'result')} of ${name} ${verbs} omitted: ${some}.`)
  }
  left('external_outside', outside, 'is outside the repository', 'lie outside the repository')
  left('external_excluded', excluded, 'is in a file excluded by scan_exclude', 'lie in files that scan_exclude names')
  left('external_unplaced', unplaced, 'names no file', 'name no file')
  for (const defect of defects) say('external_defect', `In the report of ${name} ${defect}.`)
  return notices
}
