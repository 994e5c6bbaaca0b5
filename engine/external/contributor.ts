import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../base/context.ts'
import { isInside } from '../base/disk/project-write.ts'
import type { Contributor } from '../findings/contribution.ts'
import type { Config } from '../sources/config/load.ts'
import { CONFIG_PATH } from '../sources/config/paths.ts'
import { locateOutput } from '../sources/store/output-directory.ts'
import { CPP_RECORD, CPP_TOOLS } from './cpp/results.ts'

/**
 * The scanners that the configuration names, where a whole repository is scanned. Their commands come from a file of the repository, so
 * they are run only at the command line, in that repository, and where a user has trusted them (trust.ts): neither a request, an agent's
 * tool call, a scan of another repository nor a dry run starts a program that the repository chose. With them, what `svc analyze-cpp` found.
 */
const external: Contributor = {
  name: 'external',
  prefixes: CPP_TOOLS,
  asksForEveryFile: true,
  needsCheckout: () => true,
  applies: (config, env) => enabledScanners(config).length > 0 || hasCppRecord(config, env),

  async run({ config, listing, scope, dry_run }, { cwd, env, signal, surface }) {
    if (scope === 'staged' || listing.kind === 'bare') return { findings: [], notEvaluated: [], notices: [] }
    const isAnalyzed = hasCppRecord(config, env)
    if (scope !== 'everything') {
      const names = [...enabledScanners(config), ...(isAnalyzed ? ['analyze-cpp'] : [])]
      const detail = `A part of the repository was scanned, so ${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} not asked.`
      return { findings: [], notEvaluated: [], notices: [{ kind: 'external_not_run', file: CONFIG_PATH, detail }] }
    }
    const { runScanners } = await import('./run.ts')
    const refusal = refuseCommands(config.root, dry_run, { cwd, surface })
    const contribution = await runScanners({ config, listing, refusal }, { env, signal })
    if (!isAnalyzed) return contribution
    const { joinCppRecord } = await import('./cpp/join.ts')
    return joinCppRecord(locateOutput(config.root, env, config.output_dir), { config, listing }, contribution)
  },
}

export default external

/** Whether `svc analyze-cpp` has left results. */
function hasCppRecord({ root, output_dir }: Pick<Config, 'root' | 'output_dir'>, env: Context['env']): boolean {
  return existsSync(join(locateOutput(root, env, output_dir), CPP_RECORD))
}

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
