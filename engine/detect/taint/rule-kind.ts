import type { PackedRule, TaintRule } from '../../base/records/rule.ts'
import { deriveFromTextRegex } from '../prefilter/literals.ts'
import type { RuleKind } from '../rules/detector.ts'
import { deriveTaintRequirement } from './requirement.ts'

/** What a rule of taint analysis says. All of its expressions but `when` are asked of names and short texts. */
export default {
  type: 'taint',
  deriveRequirement: (rule, isFree) => [
    ...(rule.when === undefined ? [] : deriveFromTextRegex(rule.when, isFree)),
    ...deriveTaintRequirement(rule),
  ],
  keepsAllClauses: true,
  listExpressions: ({ when }) => (when === undefined ? [] : [{ path: ['when'], source: when, ignoreCase: false }]),

  findFaults({ sources, own_sources, sinks }) {
    const kinds = [...sources, ...own_sources.map(({ kind }) => kind ?? 'own')]
    const asked = new Set(sinks.flatMap(({ from = [] }) => from))
    return [...asked]
      .filter(kind => !kinds.includes(kind))
      .map(kind => ({ key: 'sinks', message: `from says ${kind}, which is none of the sources` }))
  },
} satisfies RuleKind<TaintRule & PackedRule>
