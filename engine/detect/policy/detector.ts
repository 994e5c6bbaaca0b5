import type { FilePolicyRule, PackedRule } from '../../base/records/rule.ts'
import type { Detector } from '../rules/detector.ts'
import { runFilePolicy } from './file-policy.ts'
import judge from './path-judge.ts'

/** Policies over a file as a whole: its length, what it must contain, what it must not import. */
export default {
  type: 'file_policy',
  reach: 'severe',
  views: 'none',
  parses: false,
  identity: 'code',

  readsContent: (rule: PackedRule) => !judge.isAboutPaths(rule as FilePolicyRule & PackedRule),

  begin: searched => ({
    admit: index => ({
      rules: [index],
      run() {
        const { rules, file, pass, text } = searched
        const rule = rules.rules[index] as FilePolicyRule
        return runFilePolicy(index, rule, { language: file.language, lines: pass.lines, text })
      },
    }),
  }),
} satisfies Detector
