import { checkContent } from './checks/content.ts'
import { checkDependencies } from './checks/dependencies.ts'
import { checkForbidden, checkNaming, checkRequired, checkStructure } from './checks/paths.ts'
import { Report } from './checks/report.ts'
import type { PolicyFacts } from './facts.ts'
import type { Policy, PolicyResult } from './policy.ts'

/** What policies are evaluated with. */
export interface Evaluation {
  facts: PolicyFacts
  /** Of the repository, absolute. */
  root: string
  /** The file that the policies come from, where violations are reported that are about no file. */
  path: string
  limits: { rule_deadline_ms: number }
  signal: AbortSignal
}

/**
 * Evaluates policies, one after the other, in the order of the file. What cannot be evaluated is a gap, never obeyed: a policy that throws
 * fails nothing else. The same content gives the same answer, policies over the age of commits aside.
 */
export async function evaluatePolicies(policies: readonly Policy[], evaluation: Evaluation): Promise<PolicyResult> {
  const result: PolicyResult = { violations: [], gaps: [] }
  for (const policy of policies) {
    evaluation.signal.throwIfAborted()
    const report = new Report(policy)
    try {
      await check(policy, evaluation, report)
    } catch (error) {
      evaluation.signal.throwIfAborted()
      report.skip('rule_failed', (error as Error).message ?? String(error))
    }
    result.violations.push(...report.violations)
    result.gaps.push(...report.gaps)
  }
  return result
}

async function check(policy: Policy, evaluation: Evaluation, report: Report): Promise<void> {
  const { check: wanted } = policy
  switch (wanted.kind) {
    case 'required_files':
      return checkRequired(wanted, policy, evaluation, report)
    case 'forbidden_files':
      return checkForbidden(wanted, policy, evaluation, report)
    case 'naming':
      return checkNaming(wanted, policy, evaluation, report)
    case 'structure':
      return checkStructure(wanted, policy, evaluation, report)
    case 'content':
      return checkContent(wanted, policy, evaluation, report)
    case 'dependencies':
      return checkDependencies(wanted, policy, evaluation, report)
    case 'cel':
      return (await import('./cel/run.ts')).checkCel(wanted, policy, evaluation, report)
    case 'opa':
      return (await import('./opa/check.ts')).checkOpa(wanted, policy, evaluation, report)
  }
}
