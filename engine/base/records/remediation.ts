import { LANGUAGES } from '../languages/languages.ts'
import type { PackedRule } from './rule.ts'

type Remedied = Pick<PackedRule, 'remediation' | 'corrected_code'>

/** How to fix what a rule found in a file: what it says of all languages, with the corrected code of the file's own, if it has one. */
export function remediationIn(rule: Remedied, language: string): string {
  const own = rule.corrected_code?.find(({ languages }) => languages.includes(language))
  return own ? `${rule.remediation.trimEnd()}\n\n${indent(own.code)}\n` : rule.remediation
}

/** How to fix what a rule finds, with the corrected code of each language under the language's name. */
export function remediationOf(rule: Remedied): string {
  const codes = rule.corrected_code?.map(
    ({ languages, code }) => `${languages.map(nameOf).join(', ')}:\n\n${indent(code)}`,
  )
  return codes ? `${[rule.remediation.trimEnd(), ...codes].join('\n\n')}\n` : rule.remediation
}

function nameOf(language: string): string {
  return LANGUAGES.get(language)?.display ?? language
}

function indent(code: string): string {
  return code.trimEnd().replace(/^(?=.)/gm, '    ')
}
