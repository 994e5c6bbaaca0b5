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
  const visit = (part: unknown): void => {
    if (typeof part === 'string') add(part)
    else if (Array.isArray(part)) for (const each of part) visit(each)
    else if (typeof part === 'object' && part !== null)
      for (const [key, value] of Object.entries(part)) if (!AROUND.has(key)) visit(value)
  }
  for (const rule of rules) {
    visit(rule.literals ?? [])
    if (rule.type === 'ast') visit([rule.rule, rule.constraints, rule.utils])
    else if (rule.type === 'regex') add(rule.regex)
    else if (rule.type === 'taint') visit(rule.sinks.map(({ calls, writes }) => [calls, writes]))
  }
  return out
}

/** Words of expressions and of every program, before which a value says nothing. */
const NO_SITES = new Set([
  'true',
  'false',
  'True',
  'False',
  'null',
  'None',
  'http',
  'https',
  'self',
  'this',
  'return',
  'string',
  'localhost',
])
