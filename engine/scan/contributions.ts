import { CHECKS } from '../assistants/audit/checks.ts'
import type { Context } from '../base/context.ts'
import { toEngineError } from '../base/errors.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import type { Contribution, ContributionRequest, Contributor, SearchedFiles } from '../findings/contribution.ts'
import type { Config } from '../sources/config/load.ts'
import { CONTRIBUTORS } from './contributors.gen.ts'

/** Contributors at work beside the search for rules. */
export interface Contributing {
  /** What all of them gave, in the order of their names. */
  contributions: Promise<Contribution[]>
  /** Tells them what rules found, when every file was searched. */
  tellSearched(searched: SearchedFiles): void
  /** Ends those that still run; the promise then settles without anybody waiting for it. */
  stop(): void
}

/** The contributors that have something to say under a configuration. `findLeftOut` names those that the caller does without. */
export function findContributors(
  config: Config,
  env: Context['env'],
  leftOut: readonly string[] = [],
  all: readonly Contributor[] = CONTRIBUTORS,
): Contributor[] {
  return all.filter(contributor => !leftOut.includes(contributor.name) && contributor.applies(config, env))
}

/** Whether a rule id is that of a contributor: `<name>:<rule>`, or with one of its prefixes. Which rules it has, only the contributor knows. */
export function isContributorRule(rule: string, all: readonly Contributor[] = CONTRIBUTORS): boolean {
  // A scan never has them; `audit-mcp` does, and reads the same suppressions.
  if (Object.hasOwn(CHECKS, rule)) return true
  const at = rule.indexOf(':')
  return at > 0 && all.some(({ name, prefixes = [] }) => [name, ...prefixes].includes(rule.slice(0, at)))
}

/** Starts contributors; undefined where there are none. One that fails is not evaluated; INTERRUPTED ends all. */
export function startContributors(
  contributors: readonly Contributor[],
  request: Omit<ContributionRequest, 'searched'>,
  { cwd, env, signal, surface }: Pick<Context, 'cwd' | 'env' | 'signal' | 'surface'>,
): Contributing | undefined {
  if (contributors.length === 0) return undefined
  const ending = new AbortController()
  const context = { cwd, env, surface, signal: AbortSignal.any([signal, ending.signal]) }
  let tellSearched: Contributing['tellSearched'] = () => {}
  const searched = new Promise<SearchedFiles>((resolve, reject) => {
    tellSearched = resolve
    context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true })
  })
  // Most contributors do not ask.
  searched.catch(() => {})
  const whole = { ...request, searched: () => searched }
  const contributions = Promise.all(contributors.map(each => contribute(each, whole, context)))
  // Whoever waits for the promise sees its rejection; nobody waits where the scan itself has failed.
  contributions.catch(() => {})
  return { contributions, tellSearched, stop: () => ending.abort() }
}

async function contribute(
  contributor: Contributor,
  request: ContributionRequest,
  context: Parameters<Contributor['run']>[1],
): Promise<Contribution> {
  try {
    return await contributor.run(request, context)
  } catch (error) {
    const { code, message } = toEngineError(error)
    if (code === 'INTERRUPTED') throw error
    if (code === 'CONFIG_INVALID' && contributor.endsOnInvalidSettings) throw error
    const detail = code === 'INTERNAL' ? String((error as Error).message ?? error) : message
    return {
      findings: [],
      notEvaluated: [
        { rule_id: `${contributor.name}:*`, reason: 'scanner_failed', detail: escapeInvisibleLine(detail) },
      ],
      notices: [],
    }
  }
}
