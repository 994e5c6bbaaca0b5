import type { Context } from '../base/context.ts'
import { isInside } from '../base/disk/project-write.ts'
import type { Contributor } from '../findings/contribution.ts'
import type { Config } from '../sources/config/load.ts'
import { CONFIG_PATH } from '../sources/config/paths.ts'

/**
 * The scanners that the configuration names, where a whole repository is scanned. Their commands come from a file of the repository, so
 * they are run only at the command line, in that repository, and where a user has trusted them (trust.ts): neither a request, an agent's
 * tool call, a scan of another repository nor a dry run starts a program that the repository chose.
 */
const external: Contributor = {
  name: 'external',
  asksForEveryFile: true,
  applies: config => enabledScanners(config).length > 0,

  async run({ config, listing, scope, dry_run }, { cwd, env, signal, surface }) {
    if (scope === 'staged' || listing.kind === 'bare') return { findings: [], notEvaluated: [], notices: [] }
    if (scope !== 'everything') {
      const names = enabledScanners(config)
      const detail = `A part of the repository was scanned, so ${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} not asked.`
      return { findings: [], notEvaluated: [], notices: [{ kind: 'external_not_run', file: CONFIG_PATH, detail }] }
    }
    const { runScanners } = await import('./run.ts')
    const refusal = refuseCommands(config.root, dry_run, { cwd, surface })
    return runScanners({ config, listing, refusal }, { env, signal })
  },
}

export default external

function enabledScanners({ external_scanners }: Pick<Config, 'external_scanners'>): string[] {
  return Object.entries(external_scanners).flatMap(([name, { enabled }]) => (enabled ? name : []))
}

/** Why configured commands may not be run, whoever trusts them; undefined where they may. */
function refuseCommands(
  root: string,
  dryRun: boolean,
  { cwd, surface }: Pick<Context, 'cwd' | 'surface'>,
): string | undefined {
  if (dryRun) return 'a dry run starts no command'
  if (surface !== 'cli')
    return 'commands run only in `svc scan` on the command line; configure a report to read it here'
  return isInside(root, cwd)
    ? undefined
    : 'its command comes from the scanned repository: run svc in that repository to run it'
}
