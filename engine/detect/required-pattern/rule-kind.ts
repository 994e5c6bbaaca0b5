import type { PackedRule, RequiredPatternRule } from '../../base/records/rule.ts'
import { deriveFromTextRegex } from '../prefilter/literals.ts'
import type { RuleKind } from '../rules/detector.ts'

/** What a rule says that requires something of a file. What it requires is no condition: a file without it is what it finds. */
export default {
  type: 'required_pattern',
  deriveRequirement: ({ when }) => (when === undefined ? [] : deriveFromTextRegex(when)),
  listExpressions: ({ regex, when, ignore_case }) => [
    { path: ['regex'], source: regex, ignoreCase: ignore_case },
    ...(when === undefined ? [] : [{ path: ['when'], source: when, ignoreCase: ignore_case }]),
  ],
} satisfies RuleKind<RequiredPatternRule & PackedRule>
