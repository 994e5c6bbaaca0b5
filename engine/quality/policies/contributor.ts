import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatCount } from '../../base/text/words.ts'
import type { Contributor } from '../../findings/contribution.ts'
import { POLICIES_PATHS } from '../../sources/config/paths.ts'

/**
 * The repository's policies: violations are findings of the category `policy`. A scan of a part of the repository evaluates none, since a part
 * cannot tell what the whole lacks, and says so.
 */
const policies: Contributor = {
  name: 'policies',
  asksForEveryFile: true,
  needsCheckout: () => true,
  endsOnInvalidSettings: true,
  applies: ({ root }) => POLICIES_PATHS.some(path => existsSync(join(root, path))),

  async run({ config, listing, scope, searched }, { env, signal }) {
    // A commit must cost nothing, and is a part of the repository only.
    if (scope === 'staged') return { findings: [], notEvaluated: [], notices: [] }
    const { readPolicies } = await import('./policy-file.ts')
    const { path, policies } = await readPolicies(config.root)
    if (scope !== 'everything') {
      const detail = `A part of the repository was scanned, so ${formatCount(policies.length, 'policy', 'policies')} ${policies.length === 1 ? 'was' : 'were'} not evaluated; \`svc check-policies\` evaluates them.`
      return { findings: [], notEvaluated: [], notices: [{ kind: 'policies_not_run', file: path, detail }] }
    }
    const { gatherFacts } = await import('./gather.ts')
    const { evaluatePolicies } = await import('./evaluate.ts')
    const { toFindings, toNotEvaluated } = await import('./finding.ts')
    const { max_file_bytes } = config.scan
    const outcome = async () => ({ value: await searched() })
    const facts = gatherFacts({ listing, max_file_bytes, env, signal, outcome })
    const evaluation = { facts, root: config.root, path, limits: config.scan, signal }
    const { violations, gaps } = await evaluatePolicies(policies, evaluation)
    return { findings: toFindings(violations, policies, path), notEvaluated: gaps.map(toNotEvaluated), notices: [] }
  },
}

export default policies
