/* Tests of Robot Framework, whose parts stand two blanks apart. */

import { detectCommonPassword } from './chosen-passwords.ts'
import type { Name } from './name-at.ts'
import { looksMade } from './shape.ts'
import { isWordAlone } from './told.ts'
import type { Value } from './value.ts'

const APART = String.raw`(?: {2,40}|\t[ \t]{0,40})`
const OVER = String.raw`(?=[ \t]{0,20}(?:\r?\n|$)|${APART})`
/** What a variable is called before the word that says so, and at the end of its line what it is given. */
const VARIABLE = /(?:^|\n)[ \t]{0,20}\$\{(?:[\w-]{1,30} ){0,4}$/
const PASSWORD_FIELD = /[ \t]Input $/i

/** What a variable is given, or a field of passwords: `${PASSWORD}    …`, `Input Password    id=pw    …`. */
export function readRobot(text: string, { start, end }: Name): Value | undefined {
  const before = text.slice(Math.max(0, start - 80), start)
  // Expressions are made only where they are come by: a commit hook waits for each.
  if (text[end] === '}' && before.includes('${') && VARIABLE.test(before)) {
    const given = new RegExp(
      `\\}[ \\t]?=?${APART}(?:Set(?: (?:Test|Suite|Global))? Variable${APART})?([^\\s$={}]{4,60})${OVER}`,
      'y',
    )
    return givenBy(text, end, given)
  }
  if (text[end] !== ' ' && text[end] !== '\t') return undefined
  return PASSWORD_FIELD.test(before)
    ? givenBy(text, end, new RegExp(`${APART}\\S{1,80}${APART}([^\\s$={}]{4,60})${OVER}`, 'y'))
    : undefined
}

function givenBy(text: string, at: number, form: RegExp): Value | undefined {
  form.lastIndex = at
  const value = form.exec(text)?.[1]
  if (value === undefined) return undefined
  if (!looksMade(value, false) && !isWordAlone(value) && detectCommonPassword(value) === undefined) return undefined
  const end = form.lastIndex
  return { start: end - value.length, end, text: value, quote: '"', wrapped: false, after: end }
}
