/* How a text for people gives a login: in a sentence, behind or below the user's name. */

import { isProgramWord, looksMade } from './shape.ts'
import type { Value } from './value.ts'

/** What a sentence says somebody logs in with: `credentials are admin/…`, `credentials: \`admin\` / \`…\``. */
export function readStated(text: string, end: number): Value | undefined {
  const said =
    /\*{0,2}(?:[ \t](?:are|is)\b:?|:|[ \t]\()\*{0,2}[ \t]{0,3}[`"'*]{0,3}([\w.@-]{2,40})[`"'*]{0,3}[ \t]?[/:][ \t]?[`"'*]{0,3}([^\s`"'*,;)<>/]{4,40})/y
  said.lastIndex = end
  const told = said.exec(text)?.[2]
  const value = told?.replace(/[.!]$/, '')
  if (told === undefined || value === undefined) return undefined
  if (
    !looksMade(value, false) &&
    !(isWordAlone(value) && /^[`"'*]{0,3}[.)]?[ \t]*(?:\r?\n|$)/.test(text.slice(said.lastIndex, said.lastIndex + 8)))
  )
    return undefined
  const start = said.lastIndex - told.length
  return { start, end: start + value.length, text: value, quote: '', wrapped: false, after: said.lastIndex }
}

/** Whether a value is a word in small letters that programs have no use for. */
export function isWordAlone(value: string): boolean {
  return /^(?!.*(?:pass|secret|token|your))[a-z]{4,20}$/.test(value) && !isProgramWord(value)
}

const FOR_USER =
  /(?:\b|_)(?:login|user(?:name)?)[ \t]+(?!(?:and|or|with|has|name|is|the|for|to|in|a|of|your|by|on|can|must|will|from|whose|account)\b)[^\s"'`,.]+[ \t]+(?:privilege[ \t]+\d{1,2}[ \t]+)?$/

/** Whether a line names the user before the password, as in configurations of routers and in .netrc, or what is enabled by it. */
export function isForUser(line: string): boolean {
  if (/^[ \t]*enable[ \t]$/.test(line)) return true
  const last = line.at(-1)
  return (last === ' ' || last === '\t') && (line.includes('login') || line.includes('user')) && FOR_USER.test(line)
}

/** Whether a name begins the line below a user's, as in .netrc. */
export function isBelowUser(text: string, start: number, line: string): boolean {
  return (
    line.trim() === '' &&
    /(?:^|\n)[ \t]*(?:machine|login|user)[ \t]+\S{1,60}[ \t]*\r?\n[ \t]*$/.test(
      text.slice(Math.max(0, start - 90), start),
    )
  )
}

/** Whether a line says that a login follows, as people write it: `username/password: bob/…`. */
export function isBehindUser(line: string): boolean {
  return '/:&,+ '.includes(line.at(-1) ?? '!') && /\b(?:user(?:_?name)?|login|id)[ ]?[/:&,+][ ]?$/i.test(line)
}
