import type { WrittenRule } from '../pack-file.ts'
import { readReason } from './ast-grep.ts'
import { type Draft, makeRuleId } from './draft.ts'
import { addExamples, listCweIds, listTexts, makeTitle, NotTaken, resolveLanguage } from './foreign-rule.ts'
import { isMap } from './own.ts'
import { translatePattern, translateRegex } from './semgrep-pattern.ts'
import type { SourceDocument } from './source.ts'

const SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'critical',
  error: 'high',
  high: 'high',
  warning: 'medium',
  medium: 'medium',
  info: 'low',
  low: 'low',
}
/** Keys that do not change what is found. */
const HARMLESS = new Set(['id', 'message', 'languages', 'severity', 'metadata', 'fix', 'mode', 'paths', 'version'])
const MATCHING = new Set(['pattern', 'patterns', 'pattern-either', 'pattern-regex'])

type Raw = Record<string, unknown>

/** Whether a document is a file of Semgrep rules. */
export function isSemgrep(data: unknown): boolean {
  return (
    isMap(data) &&
    Array.isArray(data.rules) &&
    data.rules.some(
      rule => isMap(rule) && 'languages' in rule && ('message' in rule || 'severity' in rule) && !('type' in rule),
    )
  )
}

/** The search-mode rules that say the same on ast-grep's engine; the others are left out with what has no counterpart. */
export function convertSemgrepRules(
  { data, file, place }: SourceDocument,
  packId: string,
): Pick<Draft, 'rules' | 'left_out'> {
  const out: Pick<Draft, 'rules' | 'left_out'> = { rules: [], left_out: [] }
  for (const [index, raw] of ((data as Raw).rules as unknown[]).entries()) {
    const at = (path: readonly string[], part: 'key' | 'value') => place(['rules', String(index), ...path], part)
    try {
      if (!isMap(raw)) throw new NotTaken('it is no map of keys')
      const rule = addExamples(translated(raw, packId), { match: [], clean: [] })
      out.rules.push({ data: rule, file, place: at })
    } catch (error) {
      const id = isMap(raw) ? String(raw.id ?? '(no id)') : '(no id)'
      out.left_out.push({ id, reason: readReason(error), place: at([], 'value') })
    }
  }
  return out
}

function translated(raw: Raw, packId: string): WrittenRule {
  if (raw.mode !== undefined && raw.mode !== 'search') throw new NotTaken(`its mode is ${String(raw.mode)}`)
  const foreign = Object.keys(raw).find(key => !HARMLESS.has(key) && !MATCHING.has(key))
  if (foreign !== undefined) throw new NotTaken(`its key ${foreign} has no counterpart`)
  const severity = SEVERITIES[String(raw.severity).toLowerCase()]
  if (!severity) throw new NotTaken(`its severity ${String(raw.severity)} has no counterpart`)
  const message = String(raw.message ?? '').trim()
  if (message === '') throw new NotTaken('it has no message')
  const metadata = isMap(raw.metadata) ? raw.metadata : {}
  const paths = isMap(raw.paths) ? raw.paths : {}
  return {
    id: makeRuleId(String(raw.id ?? ''), packId),
    title: makeTitle(message),
    message,
    severity,
    languages: [...new Set(listTexts(raw.languages).map(resolveLanguage))],
    cwe: listCweIds(metadata.cwe),
    remediation: message,
    references: listTexts(metadata.references),
    files: listTexts(paths.include).map(anywhere),
    exclude_files: listTexts(paths.exclude).map(anywhere),
    ...matching(raw),
  }
}

/** Semgrep's globs hold in every folder unless they start with a slash. */
function anywhere(glob: string): string {
  return glob.startsWith('/') ? glob.slice(1) : glob.startsWith('**') ? glob : `**/${glob}`
}

function matching(raw: Raw): Raw {
  const keys = Object.keys(raw).filter(key => MATCHING.has(key))
  if (keys.length !== 1)
    throw new NotTaken(keys.length === 0 ? 'it has no pattern' : `it has both ${keys.join(' and ')}`)
  if (keys[0] === 'pattern-regex') return { type: 'regex', ...translateRegex(String(raw['pattern-regex'])) }
  if (listTexts(raw.languages).some(name => ['generic', 'regex'].includes(name)))
    throw new NotTaken('patterns over plain text are not supported')
  const constraints: Raw = {}
  const rule = formula({ [keys[0]!]: raw[keys[0]!] }, constraints)
  return {
    type: 'ast',
    rule,
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...(typeof raw.fix === 'string' && { fix: raw.fix }),
  }
}

/** A pattern, a conjunction or a disjunction as a rule object; what it says of metavariables goes into `constraints`, where there may be some. */
function formula(clause: Raw, constraints: Raw | undefined): Raw {
  const [key, value] = Object.entries(clause)[0] ?? ['', undefined]
  switch (key) {
    case 'pattern':
      return { pattern: translatePattern(String(value)) }
    case 'pattern-either':
      return { any: clauses(value).map(each => formula(each, undefined)) }
    case 'patterns':
      return conjunction(clauses(value), constraints)
    default:
      throw new NotTaken(`${key || 'an empty clause'} has no counterpart`)
  }
}

function conjunction(all: Raw[], constraints: Raw | undefined): Raw {
  const positive: Raw[] = []
  const around: Raw[] = []
  for (const clause of all) {
    const [key, value] = Object.entries(clause)[0] ?? ['', undefined]
    if (key === 'pattern-not') around.push({ not: { pattern: translatePattern(String(value)) } })
    else if (key === 'pattern-inside') around.push(within(String(value)))
    else if (key === 'pattern-not-inside') around.push({ not: within(String(value)) })
    else if (key === 'metavariable-regex') constrain(value, constraints)
    else positive.push(formula(clause, constraints))
  }
  if (positive.length === 0) throw new NotTaken('a conjunction without a pattern has no counterpart')
  const parts = [...positive, ...around]
  return parts.length === 1 ? parts[0]! : { all: parts }
}

/** In Semgrep, code is inside of itself. */
function within(pattern: string): Raw {
  const translated = { pattern: translatePattern(pattern) }
  return { any: [translated, { inside: { ...translated, stopBy: 'end' } }] }
}

function constrain(value: unknown, constraints: Raw | undefined): void {
  if (!constraints) throw new NotTaken('a metavariable-regex inside pattern-either has no counterpart')
  if (!isMap(value) || typeof value.metavariable !== 'string' || typeof value.regex !== 'string')
    throw new NotTaken('its metavariable-regex is incomplete')
  const name = value.metavariable.replace(/^\$/, '')
  if (/\(\?[=!<]|\\[1-9]/.test(value.regex))
    throw new NotTaken('an assertion in a metavariable-regex has no counterpart')
  if (name in constraints) throw new NotTaken(`two expressions for ${value.metavariable} have no counterpart`)
  const flags = /^\(\?[a-z]+\)/.exec(value.regex)?.[0] ?? ''
  constraints[name] = { regex: `${flags}^(?:${value.regex.slice(flags.length)})` }
}

function clauses(value: unknown): Raw[] {
  if (!Array.isArray(value) || !value.every(each => isMap(each) && Object.keys(each).length === 1))
    throw new NotTaken('its clauses are not a list of single keys')
  return value as Raw[]
}
