import type { RequiredPatternRule } from '../../base/records/rule.ts'
import type { ActiveRules } from '../rules/active-rules.ts'
import type { Detector } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'

/** Files that lack what a rule requires of them. */
export default {
  type: 'required_pattern',
  reach: 'severe',
  views: 'none',
  parses: false,
  identity: 'code',
  part: 'regex',

  begin: searched => ({
    admit: index => ({ rules: [index], run: () => findLack(searched.rules, index, searched.code) }),
  }),
} satisfies Detector

/** The file as a whole where it lacks what the rule asks for, else nothing. */
function findLack(rules: ActiveRules, index: number, text: string): RawMatch[] {
  const { regex, when, ignore_case } = rules.rules[index] as RequiredPatternRule
  if (when !== undefined && !rules.expression(when, ignore_case).test(text)) return []
  if (rules.expression(regex, ignore_case).test(text)) return []
  return [{ rule: index, start: 0, end: 0, wholeFile: true }]
}
