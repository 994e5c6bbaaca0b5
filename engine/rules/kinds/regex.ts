import type { RawMatch } from '../match.ts'
import type { RegexRule, RequiredPatternRule } from '../rule.ts'
import type { RuleSet } from '../rule-set.ts'

/** Every match of a regex rule, empty ones left out. The caller guards against expressions that never end. */
export function runRegex(rules: RuleSet, index: number, rule: RegexRule, text: string): RawMatch[] {
  const expression = rules.expression(rule.regex, rule.ignore_case)
  const out: RawMatch[] = []
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    const start = found.index
    const end = start + found[0].length
    if (end === start) {
      // Within a character of two units the expression would begin at the same one again.
      expression.lastIndex += text.codePointAt(start)! > 0xffff ? 2 : 1
      continue
    }
    const match: RawMatch = { rule: index, start, end }
    if (rule.fix !== undefined) match.edits = [{ start, end, text: expand(rule.fix, found) }]
    out.push(match)
  }
  return out
}

/** The file as a whole where it lacks what the rule asks for, else nothing. */
export function runRequiredPattern(rules: RuleSet, index: number, rule: RequiredPatternRule, text: string): RawMatch[] {
  if (rule.when !== undefined && !rules.expression(rule.when, rule.ignore_case).test(text)) return []
  return rules.expression(rule.regex, rule.ignore_case).test(text)
    ? []
    : [{ rule: index, start: 0, end: 0, wholeFile: true }]
}

/** `$1` … `$9` and `$0` of a fix template. */
function expand(template: string, found: RegExpExecArray): string {
  return template.replace(/\$(\d)/g, (_, digit: string) => found[Number(digit)] ?? '')
}
