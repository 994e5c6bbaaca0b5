import type { CompiledRule } from '../../detect/rules/active-rules.ts'

/** A regular expression of a rule that JavaScript runs, with the keys that lead to it. */
export interface RuleExpression {
  path: string[]
  source: string
  ignoreCase: boolean
}

/**
 * The expressions that JavaScript runs over the text of files; those inside syntax rules are Rust's, which take linear time, and all but
 * `when` of rules that follow input look at names and short texts.
 */
export function expressionsOf(rule: CompiledRule): RuleExpression[] {
  switch (rule.type) {
    case 'regex':
    case 'required_pattern': {
      const found = [{ path: ['regex'], source: rule.regex, ignoreCase: rule.ignore_case }]
      if ('when' in rule && rule.when !== undefined)
        found.push({ path: ['when'], source: rule.when, ignoreCase: rule.ignore_case })
      return found
    }
    case 'ast':
    case 'taint':
      return rule.when === undefined ? [] : [{ path: ['when'], source: rule.when, ignoreCase: false }]
    case 'file_policy':
      return 'naming' in rule.check ? [{ path: ['check', 'naming'], source: rule.check.naming, ignoreCase: false }] : []
    default:
      return []
  }
}
