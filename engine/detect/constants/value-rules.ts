import type { CompiledRule } from '../rules/active-rules.ts'

/**
 * Weaknesses that a fixed value is: algorithms, modes, versions and lengths of keys, verification that is off, keys and passwords that are
 * written out, addresses without encryption, flags of cookies, origins, modes of files, debugging.
 */
const VALUE_WEAKNESSES: ReadonlySet<string> = new Set(
  (
    '209 256 259 276 295 296 297 319 321 322 326 327 328 329 330 347 350 489 521 532 547 614 732 749 757 759 760 780 798 916 942 1004 ' +
    '1188 1204 1275 1327 1333'
  )
    .split(' ')
    .map(number => `CWE-${number}`),
)

/** Whether a rule judges a value that may as well stand elsewhere: it sees the code as if the value stood in it. */
export function judgesValues(rule: CompiledRule): boolean {
  if (rule.type === 'resource') return !rule.muted && rule.languages.includes('hcl')
  if (rule.muted || !rule.cwe.some(name => VALUE_WEAKNESSES.has(name))) return false
  if (rule.type === 'taint') return rule.sources.length === 0 && rule.own_sources.length === 0
  return rule.type === 'ast' || rule.type === 'regex'
}

/** What surrounds the code that a rule is about, and what it must not be. */
const AROUND = new Set(['not', 'inside', 'follows', 'precedes', 'kind', 'field', 'stopBy', 'languages'])

/** Words of which one stands before a value that the rules judge: of functions, options and fields. */
export function listSiteWords(rules: readonly CompiledRule[]): ReadonlySet<string> {
  const out = new Set<string>()
  const add = (text: string): void => {
    for (const [word] of text.replace(/\\[a-zA-Z]/g, ' ').matchAll(/[A-Za-z_]\w{3,}/g))
      if (!NO_SITES.has(word)) out.add(word)
  }
  for (const rule of rules) {
    if (rule.type === 'taint')
      for (const { calls = [], writes = [] } of rule.sinks) for (const name of [...calls, ...writes]) add(name)
    else for (const text of listJudging(rule)) add(text)
  }
  return out
}

/**
 * The texts of a rule that say what stands around a literal. Where nothing is said of one, a value in the place of a name changes nothing: of a
 * regular expression those of its alternatives are left out, of a pattern the whole.
 */
function listJudging(rule: CompiledRule): string[] {
  if (rule.type === 'regex') return splitAlternatives(rule.regex).filter(mentionsLiteral)
  if (rule.type !== 'ast') return []
  const texts: string[] = []
  let isJudging = false
  const visit = (part: unknown, isKind = false): void => {
    if (typeof part === 'string') {
      if (isKind ? LITERAL_KIND.test(part) : mentionsLiteral(part)) isJudging = true
      if (!isKind) texts.push(part)
    } else if (Array.isArray(part)) for (const each of part) visit(each, isKind)
    else if (typeof part === 'object' && part !== null)
      for (const [name, value] of Object.entries(part))
        if (name === 'kind' || !AROUND.has(name)) visit(value, name === 'kind')
  }
  visit([rule.rule, rule.constraints, rule.utils])
  return isJudging ? texts : []
}

/** Kinds of nodes that are literals, in the grammars' words. */
const LITERAL_KIND = /string|literal|integer|float|number|^(?:true|false|boolean)$/

/** Whether an expression, or a pattern of code, has a quote, a number or a truth value. */
function mentionsLiteral(text: string): boolean {
  return /["'`]|\\x2[27]|(?<![\w$])\d|\b(?:true|false)\b/i.test(text.replace(/\{\d+(?:,\d*)?\}/g, ''))
}

/** The alternatives of a regular expression that stand outside of groups and classes. */
function splitAlternatives(expression: string): string[] {
  const out: string[] = ['']
  let depth = 0
  let inClass = false
  for (let at = 0; at < expression.length; at++) {
    const sign = expression[at]!
    if (sign === '|' && depth === 0 && !inClass) {
      out.push('')
      continue
    }
    if (sign === '[') inClass = true
    else if (sign === ']') inClass = false
    else if (!inClass && sign === '(') depth++
    else if (!inClass && sign === ')') depth--
    out[out.length - 1] += sign === '\\' ? expression.slice(at, ++at + 1) : sign
  }
  return out
}

/** Words of expressions and of every program, before which a value says nothing. */
const NO_SITES = new Set(
  (
    'true false True False null None http https self this return string localhost case func function class struct interface import ' +
    'package from with make byte bool boolean String Long Float Double private public protected static final const java javax'
  ).split(' '),
)
