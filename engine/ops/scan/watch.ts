import { type } from 'arktype'
import type { Surface } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { watchRepository } from '../../scan/watch/watch.ts'
import { findRepositoryRoot, loadConfig } from '../../sources/config/load.ts'
import type { PlannedFix } from '../../supply/fixes/plan.ts'

/** Scans on every change until it is interrupted. */
export default defineOperation({
  id: 'scan.watch',
  summary: 'Scan on every change of a file, and print new and resolved findings.',
  effect: 'write',
  action: ({ fix, create_pr }) => (create_pr ? 'create_pr' : fix ? 'add_dependency' : 'run_scan'),
  cli: 'watch',
  rest: null,
  mcp: null,
  resident: true,
  short: { interval: 'i' },
  input: type({
    interval: type('1 <= number.integer <= 86400')
      .describe('seconds between two checks for changes if the system reports no file events, 1 to 86400')
      .default(5),
    vulns: type('boolean').describe('true to check dependencies for vulnerabilities as well').default(false),
    vuln_interval: type('1 <= number.integer <= 31536000')
      .describe('seconds between two checks for vulnerabilities, 1 to 31536000')
      .default(3600),
    fix: type('boolean').describe('true to fix vulnerable dependencies; requires --vulns').default(false),
    create_pr: type('boolean')
      .describe('true to create a pull request with the fixes; requires --fix and a DevOps provider')
      .default(false),
    'config?': type('string > 0').describe('a configuration file to use instead of .svc/config.yaml'),
    '+': 'reject',
  }),
  output: type({}),
  examples: [
    ['svc watch', 'scan on every change until Ctrl-C'],
    ['svc watch --quiet', 'print new and resolved findings and failures only'],
    ['svc watch --interval 30', 'check every 30 seconds if there are no file events'],
    ['svc watch --vulns --vuln-interval 600', 'check dependencies for vulnerabilities every 10 minutes'],
    ['svc watch --vulns --fix --create-pr', 'open a pull request for each fix'],
    ['svc watch --vulns --fix', 'change manifests so that vulnerable versions go'],
  ],

  check: (input, { surface }) => refuseContradictions(input, surface),

  async run({ vulns, vuln_interval, fix, create_pr, interval, config }, context) {
    refuseContradictions({ vulns, fix, create_pr }, context.surface)
    const own = config !== undefined ? { config } : {}
    if (!vulns) return watchRepository({ interval, ...own }, context)
    const { VulnerabilityWatch } = await import('../../supply/advisories/watch.ts')
    const root = findRepositoryRoot(context.cwd)
    if (create_pr) {
      const { requireCodeProvider } = await import('../../delivery/fix-requests/propose.ts')
      await requireCodeProvider(
        await loadConfig(root, { env: context.env, ...(config !== undefined && { path: config }) }),
        context,
      )
    }
    const propose = async (fixes: readonly PlannedFix[]) => {
      const { proposeFixes } = await import('../../delivery/fix-requests/propose.ts')
      const { formatProposed } = await import('../../delivery/fix-requests/text.ts')
      return formatProposed(
        await proposeFixes(
          await loadConfig(root, { env: context.env, ...(config !== undefined && { path: config }) }),
          fixes,
          context,
        ),
      )
    }
    const periodic = new VulnerabilityWatch(
      { root, interval: vuln_interval, fix, ...own, ...(create_pr && { propose }) },
      context,
    )
    return watchRepository({ interval, ...own }, context, periodic)
  },

  text: () => '',
})

function refuseContradictions(
  { vulns, fix, create_pr }: { vulns: boolean; fix: boolean; create_pr: boolean },
  surface: Surface,
): void {
  if (surface !== 'cli') throw new EngineError('USAGE', 'watch runs only on the command line.')
  if (fix && !vulns) throw refuse('--fix requires --vulns.', 'Add --vulns, or remove --fix.')
  if (create_pr && !fix) throw refuse('--create-pr requires --fix.', 'Add --vulns --fix, or remove --create-pr.')
}

function refuse(message: string, hint: string): EngineError {
  return new EngineError('USAGE', message, { hint })
}
