import type { Word } from './shell.ts'

/** Letters after which a sed script goes on with the next command, or ends. */
const SED_SINGLE = 'pdDgGhHnNPqQx=lFz'

/**
 * Whether a sed script only prints and edits what it reads: no `w` and no `e`, nor what this reader does not know (GNU sed's
 * manual, "sed scripts").
 */
export function isPlainSed(script: Word): boolean {
  if (script === undefined) return false
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    const found = new RegExp(pattern.source, `${pattern.flags}y`)
    found.lastIndex = at
    const match = found.exec(script)
    if (match) at = found.lastIndex
    return match !== null && match[0] !== ''
  }
  /** A text up to the next of its delimiters. One within brackets is not read alike by every sed: false. */
  const text = (delimiter: string): boolean => {
    for (; at < script.length; at++) {
      if (script[at] === '[' && script.slice(at, script.indexOf(']', at + 3)).includes(delimiter)) {
        if (script.indexOf(delimiter, at) < script.indexOf(']', at + 2)) return false
      }
      if (script[at] === '\\') at++
      else if (script[at] === delimiter) {
        at++
        return true
      }
    }
    return false
  }
  const address = (): boolean => {
    if (skip(/\d+(~\d+)?|\$|[+~]\d+/)) return true
    if (script[at] !== '/') return false
    at++
    if (!text('/')) return false
    skip(/[IM]+/)
    return true
  }
  while (at < script.length) {
    skip(/[\s;{}]+/)
    if (at >= script.length) break
    if (address()) {
      skip(/\s*,\s*/)
      address()
    }
    skip(/[\s!]+/)
    const command = script[at++]
    if (command === undefined) return false
    if (command === '{' || command === '}') continue
    if (command === 's' || command === 'y') {
      const delimiter = script[at++]
      if (delimiter === undefined || delimiter === '\\' || delimiter === '\n') return false
      if (!text(delimiter) || !text(delimiter)) return false
      if (command === 's') skip(/[gpiIM\d]+/)
    } else if ('aic'.includes(command)) {
      skip(/[^\n]*(\\\n[^\n]*)*/)
    } else if (':bt'.includes(command)) skip(/[^;\n}]*/)
    else if ('qQl'.includes(command)) skip(/\s*\d*/)
    else if (!SED_SINGLE.includes(command)) return false
    skip(/[ \t]+/)
    if (at < script.length && !';\n}#'.includes(script[at]!)) return false
    if (script[at] === '#') skip(/[^\n]*/)
  }
  return true
}

/** Whether an awk program only prints to its output: no redirection, no pipe, no call of the system or of what is not named. */
export function isPlainAwk(program: Word): boolean {
  if (program === undefined) return false
  const code = program.replaceAll('||', '')
  return !/\bprintf?\b[^;}\n]*>|\||\bsystem\b|@/.test(code)
}

/** Whether a program of Perl or Ruby is one or several plain substitutions, whose other side runs nothing. */
export function isSubstitution(program: Word): boolean {
  if (program === undefined || /`|[@$]\{|\(\?\??\{|#\{/.test(program)) return false
  return /^\s*((s([/|,#!])(?:\\.|(?!\3).)*\3(?:\\.|(?!\3).)*\3[gimsx]*|y\/(?:\\.|[^/])*\/(?:\\.|[^/])*\/)\s*(;\s*|$))+$/.test(
    program,
  )
}
