import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { type Detected, detectScanners } from '../../external/detect.ts'
import { findReports, makeTextReader } from '../../external/reports.ts'
import { loadConfig } from '../../sources/config/load.ts'
import type { Settings } from '../../sources/config/schema.ts'
import { discover } from '../../sources/repository/discover.ts'
import { findProgram, makeTrustedPath } from '../../sources/repository/program-path.ts'

/** Looks for other scanners; with `write`, makes their findings part of every scan. */
export default defineOperation({
  id: 'external.detect',
  summary: 'Detect external scanners that the repository uses, and include their findings in every scan.',
  effect: 'write',
  action: ({ write }) => (write ? 'edit_config' : 'read_findings'),
  cli: 'external-detect',
  rest: null,
  mcp: null,
  input: type({
    write: type('boolean')
      .describe(
        'true or false: add the detected scanners to external_scanners in .svc/config.yaml; existing entries stay unchanged',
      )
      .default(false),
    '+': 'reject',
  }),
  output: type({
    scanners: type({
      name: 'string',
      title: 'string',
      evidence: type({ file: 'string', 'line?': 'number.integer', what: 'string' }).array(),
      'command?': type('string[]').describe('the program and its arguments that print SARIF'),
      'report?': type('string').describe('the path of its SARIF file'),
      'note?': 'string',
      ready: type('boolean').describe('whether its program is installed, or its report exists'),
      configured: type('boolean').describe('whether it is already in external_scanners'),
      'enabled?': type('boolean').describe('whether scans run it, if it is configured'),
    }).array(),
    written: type('string[]').describe('the scanners added to the configuration'),
    file: 'string | null',
  }),
  examples: [
    ['svc external-detect', 'show the scanners in use, with the evidence'],
    [
      'svc external-detect --write',
      'add them to the configuration, so that scans run them once trusted or read their reports',
    ],
  ],

  async run({ write }, context) {
    const config = await loadConfig(context.cwd, { env: context.env })
    const listing = await discover(config.root, { exclude: config.scan_exclude, signal: context.signal })
    const reports = await findReports(listing, context.signal)
    const known = config.external_scanners
    const scanners = detectScanners(listing.files, reports, makeTextReader(listing.root), config.output_dir).map(
      found => {
        const configured = Object.hasOwn(known, found.name)
        const scanner = configured ? asConfigured(found, known[found.name]!) : found
        return {
          ...scanner,
          ready: isReady(scanner, config.root, context.env),
          configured,
          ...(configured && { enabled: known[found.name]!.enabled }),
        }
      },
    )
    const added = write ? scanners.filter(({ configured, command, report }) => !configured && (command || report)) : []
    if (added.length === 0) return { scanners, written: [], file: null }
    const { editConfig, setKeys } = await import('../../sources/config/edit.ts')
    const { path } = await editConfig(config.root, document => {
      for (const { name, command, report, ready } of added) {
        const settings = { ...(!ready && { enabled: false }), ...(command && { command }), ...(report && { report }) }
        setKeys(document, { external_scanners: { [name]: settings } })
      }
    })
    const idle = added.filter(({ ready }) => !ready).map(({ name }) => name)
    if (idle.length > 0)
      context.notice(
        `Not installed here, so written with enabled: false: ${idle.join(', ')}. Set it to true where the program is.`,
      )
    return { scanners, written: added.map(({ name }) => name), file: path }
  },

  text({ scanners, written, file }, { paint }) {
    if (scanners.length === 0) return 'No other scanner was detected.'
    const blocks = scanners.map(scanner => {
      const state = scanner.configured
        ? scanner.enabled
          ? 'configured'
          : 'configured, but not enabled'
        : scanner.ready
          ? 'ready'
          : 'not installed here'
      const how = scanner.command ? `run ${scanner.command.join(' ')}` : scanner.report && `read ${scanner.report}`
      return [
        `${paint('bold', scanner.title)} (${scanner.name}, ${state})`,
        ...scanner.evidence.map(
          ({ file: at, line, what }) => `  ${at}${line === undefined ? '' : `:${line}`}: ${what}`,
        ),
        how && `  ${paint('cyan', how)}`,
        scanner.note && paint('dim', `  ${scanner.note}`),
      ]
        .filter(Boolean)
        .join('\n')
    })
    const usable = scanners.some(({ configured, command, report }) => !configured && (command || report))
    const end =
      written.length > 0
        ? `Added to ${file}: ${written.join(', ')}. \`svc external-trust NAME\` allows \`svc scan\` to run a command; reports are read from the next scan on.`
        : usable
          ? '`svc external-detect --write` adds them to .svc/config.yaml.'
          : ''
    return [...blocks, end].filter(Boolean).join('\n\n')
  },
})

/** What was found of a scanner, with what a scan does with it: the configuration holds, not what would be suggested. */
function asConfigured(
  { name, title, evidence, note }: Detected,
  { command, report }: Settings['external_scanners'][string],
): Detected {
  return { name, title, evidence, ...(note && { note }), ...(command && { command }), ...(report && { report }) }
}

/** Whether the scanner can be asked here and now; nothing is started to find out. */
function isReady(
  { command, report }: Detected,
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const program = command?.[0]
  if (program === undefined) return report !== undefined && existsSync(resolve(root, report))
  if (program.includes('/')) return existsSync(resolve(root, program))
  return findProgram(program, makeTrustedPath(root, env)) !== undefined
}
