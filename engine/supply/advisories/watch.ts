import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { toEngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'
import type { PlannedFix } from '../fixes/plan.ts'
import type { Assessment } from './assess.ts'
import { findVulnerabilities } from './perform.ts'
import { VULNERABILITIES_FILE } from './stored.ts'
import type { Vulnerability } from './vulnerability.ts'

/** How vulnerabilities are watched. */
export interface VulnerabilityWatchOptions {
  root: string
  /** Seconds between two checks. */
  interval: number
  /** Change manifests so that vulnerable versions go; no package manager is run. */
  fix: boolean
  /** Opens pull requests instead of changing manifests; answers lines for the user. */
  propose?: (fixes: readonly PlannedFix[]) => Promise<string>
  /** A configuration file instead of the repository's. */
  config?: string
}

/** What a surface gives, with the guard's question where something is governed. */
export interface WatchContext extends Context {
  permit?: (request: { action: string; paths: readonly string[] }) => Promise<void>
}

/**
 * Checks dependencies for vulnerabilities each time the interval has passed, prints those that appear and disappear, and stores the report as `svc
 * vulns` does. One of which the check could learn nothing has not disappeared. A check that fails is printed too, and the next one tries again.
 */
export class VulnerabilityWatch {
  readonly #options: VulnerabilityWatchOptions
  readonly #context: WatchContext
  #due = 0
  #known: ReadonlyMap<string, Vulnerability> | undefined
  /** Dependencies of which the last check knows nothing. */
  #unknown = 0

  constructor(options: VulnerabilityWatchOptions, context: WatchContext) {
    this.#options = options
    this.#context = context
  }

  /** Milliseconds until the next check; 0 where it is due. */
  dueIn(now = Date.now()): number {
    return Math.max(0, this.#due - now)
  }

  /** What is known after the last check, for the status line. */
  describe(): string {
    if (this.#known === undefined) return 'vulnerabilities not known'
    const known = formatCount(this.#known.size, 'known vulnerability', 'known vulnerabilities')
    return this.#unknown === 0
      ? known
      : `${known}, ${formatCount(this.#unknown, 'dependency', 'dependencies')} not evaluated`
  }

  async check(): Promise<void> {
    const { signal, print = () => {}, status = () => {} } = this.#context
    status('Checking dependencies for vulnerabilities')
    try {
      await this.#check()
    } catch (error) {
      signal.throwIfAborted()
      const { message, hint } = toEngineError(error)
      // Not a notice, which --quiet drops: without it, nothing printed would mean that nothing changed.
      print(`failed    Vulnerabilities were not checked: ${message}${hint ? ` ${hint}` : ''}`)
    } finally {
      this.#due = Date.now() + this.#options.interval * 1000
    }
  }

  async #check(): Promise<void> {
    const { root, fix, config: path } = this.#options
    const context = this.#context
    const { notice, print = () => {} } = context
    const config = await loadConfig(root, { env: context.env, ...(path !== undefined && { path }) })
    // Answers of before are good enough for the first check alone: the later ones are made to learn what is new.
    const assessment = await findVulnerabilities(config, { refresh: this.#known !== undefined }, context)
    const { report } = assessment
    const out = locateOutput(config.root, context.env, config.output_dir)
    makeOut(out)
    writeOutput(join(out, VULNERABILITIES_FILE), `${JSON.stringify(report, null, 2)}\n`)
    const open = report.vulnerabilities.filter(({ status }) => status === 'open')
    const now = new Map(open.map(one => [`${one.component}\0${one.id}`, one]))
    for (const [key, one] of now) if (!this.#known?.has(key)) print(`new       ${formatVulnerabilityLine(one)}`)
    const isKnown = makeIsKnown(assessment)
    for (const [key, one] of this.#known ?? []) {
      if (now.has(key)) continue
      if (isKnown(one)) print(`resolved  ${formatVulnerabilityLine(one)}`)
      else now.set(key, one)
    }
    this.#known = now
    const unknown = report.total_dependencies - report.evaluated
    this.#unknown = unknown
    const failed = report.unread_manifests.filter(({ state }) => state === 'failed').length
    const isFailed = failed > 0 || report.not_evaluated.some(({ reason }) => reason === 'source_failed')
    const say = isFailed ? (text: string) => print(`failed    ${text}`) : notice
    if (unknown + failed > 0)
      say(
        `Not evaluated: ${formatCount(unknown, 'dependency', 'dependencies')}, ${formatCount(failed, 'manifest')} that cannot be read; \`svc vulns\` lists them.`,
      )
    if (fix && open.length > 0) await this.#fix(config.root, assessment)
  }

  async #fix(root: string, assessment: Awaited<ReturnType<typeof findVulnerabilities>>): Promise<void> {
    const { planFixes } = await import('../fixes/plan.ts')
    const { applyFixes } = await import('../fixes/apply.ts')
    const { print = () => {}, permit } = this.#context
    const { fixes } = await planFixes(root, assessment)
    if (fixes.length === 0) return
    const { propose } = this.#options
    if (propose) {
      print(await propose(fixes))
      return
    }
    await permit?.({ action: 'add_dependency', paths: [...new Set(fixes.map(({ change }) => change.file))] })
    for (const { file, line, package: name, from, to, lock_command } of applyFixes(root, fixes))
      print(
        `changed   ${escapeInvisibleLine(`${file}:${line ?? 1}  ${name}  ${from} → ${to}`)}; then run: ${escapeInvisibleLine(lock_command)}`,
      )
  }
}

/** Whether a check says that a vulnerability of before is gone, rather than nothing: its manifests were read, and its package was looked up. */
export function makeIsKnown({
  report,
  unknown,
}: Pick<Assessment, 'report' | 'unknown'>): (one: Vulnerability) => boolean {
  const failed = new Set(report.unread_manifests.flatMap(({ file, state }) => (state === 'failed' ? [file] : [])))
  // A record that cannot be read may be about any package.
  if (report.source.faults.length > 0) return () => false
  return ({ component, locations }) => !unknown.has(component) && !locations.some(({ file }) => failed.has(file))
}

/** A vulnerability in one line: severity, package, ids, the fixed version and where it is named. */
export function formatVulnerabilityLine({
  severity,
  package: name,
  version,
  id,
  aliases,
  fixed_versions,
  locations,
}: Vulnerability): string {
  const ids = [id, ...aliases.filter(alias => alias.startsWith('CVE-'))].join(', ')
  const [place] = locations
  const where = place === undefined ? '' : `  ${place.file}${place.line === undefined ? '' : `:${place.line}`}`
  const fix = fixed_versions[0] === undefined ? 'no fixed version' : `fixed in ${fixed_versions[0]}`
  return `${severity.padEnd(8)}  ${escapeInvisibleLine(`${name}@${version}  ${ids}  ${fix}${where}`)}`
}
