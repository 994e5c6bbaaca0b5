import type { RegexRule } from '../../base/records/rule.ts'
import type { LaidOut } from '../lexer/layout.ts'
import type { ActiveRules } from '../rules/active-rules.ts'
import type { RawMatch } from '../rules/match.ts'
import { Surroundings } from './where.ts'
import { findWindows, type Window } from './windows.ts'

/**
 * Every match of a regex rule, empty ones left out, in the text and, where the rule is about code, in the text laid out on
 * fewer lines: whichever way its calls are broken, they are the same. The caller guards against expressions that never end.
 */
export function runRegex(
  rules: ActiveRules,
  index: number,
  rule: RegexRule,
  text: string,
  laidOut: () => LaidOut | null = () => null,
): RawMatch[] {
  const expression = rules.expression(rule.regex, rule.ignore_case)
  const out = search(rules, index, rule, text, expression).map(found => {
    const [start, end] = [found.index, found.index + found[0].length]
    const match: RawMatch = { rule: index, start, end }
    if (rule.fix !== undefined) match.edits = [{ start, end, text: expand(rule.fix, found) }]
    return match
  })
  const tidy = rule.contexts.length === 0 || rule.contexts.includes('code') ? laidOut() : null
  if (tidy === null) return out
  // A fix would write the call on one line, without its comments.
  const spans = search(rules, index, rule, tidy.text, expression).map(({ index: at, 0: { length } }) => ({
    start: tidy.origin(at),
    end: tidy.origin(at + length - 1) + 1,
  }))
  const known = [...out]
  let next = 0
  for (const { start, end } of spans) {
    while (next < known.length && known[next]!.end <= start) next++
    if (!known[next] || known[next]!.start >= end) out.push({ rule: index, start, end })
  }
  return out
}

/** What the expression finds in a text, near its literals where they say where it can, and of that what its surroundings allow. */
function search(
  rules: ActiveRules,
  index: number,
  rule: RegexRule,
  text: string,
  expression: RegExp,
): RegExpExecArray[] {
  const { vicinity } = rules.rules[index]!
  const windows = vicinity && findWindows(text, vicinity)
  const found = windows ? windows.flatMap(window => within(expression, text, window)) : eachOf(expression, text)
  if (!rule.where || found.length === 0) return found
  const surroundings = new Surroundings(rules, rule, text)
  return found.filter(each => surroundings.hold(each))
}

/** What it finds in a part of the text, which is as it were the whole. */
function within(expression: RegExp, text: string, { start, end }: Window): RegExpExecArray[] {
  const found = eachOf(expression, text.slice(start, end))
  for (const each of found) each.index += start
  return found
}

function eachOf(expression: RegExp, text: string): RegExpExecArray[] {
  const out: RegExpExecArray[] = []
  expression.lastIndex = 0
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    if (found[0] !== '') out.push(found)
    // Within a character of two units the expression would begin at the same one again.
    else expression.lastIndex += text.codePointAt(found.index)! > 0xffff ? 2 : 1
  }
  return out
}

/** `$1` … `$9` and `$0` of a fix template. */
function expand(template: string, found: RegExpExecArray): string {
  return template.replace(/\$(\d)/g, (_, digit: string) => found[Number(digit)] ?? '')
}
