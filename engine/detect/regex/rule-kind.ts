import type { PackedRule, RegexRule } from '../../base/records/rule.ts'
import { deriveFromTextRegex } from '../prefilter/literals.ts'
import type { RuleExpression, RuleKind } from '../rules/detector.ts'
import { findVicinity } from './vicinity.ts'

const PLACES = ['before', 'after', 'anywhere'] as const
const ASKED = [...PLACES, 'until', 'of'] as const

/** What a rule with a regular expression says. */
export default {
  type: 'regex',
  deriveRequirement: ({ regex }, isFree) => deriveFromTextRegex(regex, isFree),
  listExpressions: ({ regex, ignore_case, where = [] }) => [
    { path: ['regex'], source: regex, ignoreCase: ignore_case },
    ...where.flatMap((each, at) =>
      ASKED.flatMap((key): RuleExpression[] => {
        const source = each[key]
        const path = ['where', String(at), key]
        return source === undefined ? [] : [{ path, source: withoutGroups(source), ignoreCase: ignore_case }]
      }),
    ),
  ],

  findFaults({ where = [] }) {
    const isClear = where.every(each => PLACES.filter(key => each[key] !== undefined).length === 1)
    return isClear ? [] : [{ key: 'where', message: 'each entry of where has one of before, after and anywhere' }]
  },

  /** With where it can match. */
  compile(rule) {
    const vicinity = findVicinity(rule.regex, rule.ignore_case)
    return vicinity ? { ...rule, vicinity } : rule
  },
} satisfies RuleKind<RegexRule & PackedRule>

/** The expression with a word for each text of a group of the match, which is put in when it is asked. */
function withoutGroups(source: string): string {
  return source.replace(/\\(?:[1-9]|[\s\S])/g, written => (/[1-9]/.test(written) ? 'group' : written))
}
