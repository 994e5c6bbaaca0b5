import { CONFIDENCE } from '../../base/records/finding.ts'
import type { RegexRule } from '../../base/records/rule.ts'
import type { Detector } from '../rules/detector.ts'
import { weighBuiltText } from '../simple-types/built-text.ts'
import { runRegex } from './regex.ts'
import { MOST_READ, TooManyNames } from './where.ts'

/** Regular expressions over the text of a file. */
export default {
  type: 'regex',
  reach: 'severe_text',
  views: 'code',
  parses: false,
  evidence: 'pattern',
  identity: 'code',
  part: 'regex',

  begin: searched => ({
    admit(index) {
      const rule = searched.rules.rules[index] as RegexRule
      return {
        rules: [index],
        run() {
          const { text, code } = searched
          try {
            const found = runRegex(searched.rules, index, rule, code, () => searched.tidy.of(code))
            // What an expression finds in the blocks of a template themselves.
            return code === text ? found : [...found, ...runRegex(searched.rules, index, rule, text)]
          } catch (error) {
            if (!(error instanceof TooManyNames)) throw error
            searched.fail(
              index,
              'too_costly',
              `asks where with more than ${MOST_READ / 1_000_000} million characters to read`,
            )
            return []
          }
        },
      }
    },
  }),

  weigh(rule, _, location) {
    const { contexts, sanitizers } = rule as RegexRule
    const found = location.getContext()
    const context = found === 'code' && location.inTest ? 'test' : found
    const counts =
      contexts.length === 0 || contexts.includes(context) || (context === 'test' && contexts.includes('code'))
    if (!counts) return undefined
    const certainty = sanitizers?.includes('simple_types') ? weighBuiltText(location) : 1
    return certainty === undefined ? undefined : Math.min(CONFIDENCE[context], certainty)
  },
} satisfies Detector
