import { describeFarLook, findFarLooks } from '../look-around.ts'
import { NotTaken } from './foreign-rule.ts'

/** Forms that ast-grep cannot say, or says with another meaning. */
const WITHOUT_COUNTERPART: readonly (readonly [RegExp, string])[] = [
  [/<\.\.\.|\.\.\.>/, 'deep expressions (`<... ...>`)'],
  [/["']\.\.\.["']/, 'any string (`"..."`)'],
  [/["'][^"'\n]*\$[A-Z_][^"'\n]*["']/, 'a metavariable in a string'],
  [/["']=~/, 'an expression in a string (`"=~/…/"`)'],
  [/\.\s*\.\.\.\s*\./, 'any chain of calls (`. ... .`)'],
  [/\(\s*\$[A-Z_0-9]+\s*:/, 'a metavariable with a type'],
  [/\(\s*[\w.<>[\]*&]+\s+\$[A-Z_0-9]+\s*\)/, 'a metavariable with a type'],
  [/\$\{|\$[a-z]/, 'a `$` that is no metavariable'],
]

/**
 * A Semgrep pattern as ast-grep's, where it says the same: one expression or statement, metavariables, and `...` among the
 * arguments of a call. Throws NotTaken with what has no counterpart.
 */
export function translatePattern(pattern: string): string {
  const text = pattern.trim()
  if (text.includes('\n')) throw new NotTaken('a pattern of several lines has no counterpart')
  for (const [form, what] of WITHOUT_COUNTERPART)
    if (form.test(text)) throw new NotTaken(`${what} in a pattern has no counterpart`)
  if ((text.match(/[(,]\s*\w+\s*=(?!=)/g) ?? []).length > 1)
    throw new NotTaken('several named arguments, which Semgrep takes in any order, have no counterpart')
  const named = text.replace(/\$\.\.\.([A-Z_][A-Z_0-9]*)/g, '$$$$$$$1')
  const open = named.replace(/(?<=[([,]\s*)\.\.\.(?=\s*[)\],])/g, '$$$$$$')
  if (open.includes('...')) throw new NotTaken('`...` outside the arguments of a call has no counterpart')
  return open
}

/** An expression of Semgrep's (PCRE) as JavaScript's, with what its leading flag says. Throws NotTaken where it does not compile. */
export function translateRegex(source: string): { regex: string; ignore_case: boolean } {
  const flags = /^\(\?([a-z]+)\)/.exec(source)?.[1] ?? ''
  if (/[^im]/.test(flags)) throw new NotTaken(`the flag (?${flags}) has no counterpart`)
  const regex = (flags ? source.slice(flags.length + 3) : source)
    .replace(/\(\?P</g, '(?<')
    .replace(/(?<!\\)\\([_'"/@#%&=:;,<>~` !-])/g, '$1')
  try {
    new RegExp(regex, 'mu')
  } catch {
    throw new NotTaken('its regular expression is not valid in JavaScript')
  }
  const [far] = findFarLooks(regex)
  if (far) throw new NotTaken(`of its regular expression ${describeFarLook(far)}`)
  return { regex, ignore_case: flags.includes('i') }
}
