import { createHash } from 'node:crypto'

/** Categories of design decisions (spec "Design decision"). */
export const DECISION_CATEGORIES = [
  'architecture',
  'security-pattern',
  'data-model',
  'error-handling',
  'performance-tradeoff',
  'dependency-choice',
  'state-management',
] as const
export type DecisionCategory = (typeof DECISION_CATEGORIES)[number]

export const RISK_LEVELS = ['high', 'medium', 'low'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

/** A decision as a review finds it, before it is compared with what is stored. */
export interface FoundDecision {
  category: DecisionCategory
  /** What made it a decision: `dependency`, `endpoint`, `auth`, …; `llm` for one of a model. */
  kind: string
  /** `rule`: by the deterministic part. `llm`: by a model. */
  source: 'rule' | 'llm'
  summary: string
  file: string
  /** Counted from 1, both included; they exist in the file. */
  line: number
  end_line: number
  /** The function or type around it; empty at the top of a file. */
  symbol: string
  alternatives: string[]
  /** What may go wrong. */
  risk: string
  risk_level: RiskLevel
  question: string
  confidence: number
  /** The first line of the code that it speaks of, white space folded; of a removal the removed line. */
  evidence: string
  /** Of the code that it speaks of, without comments and layout. */
  code_digest: string
}

export interface DesignDecision extends FoundDecision {
  /** `DD-` and ten hexadecimal digits. */
  id: string
  status: 'pending' | 'acknowledged'
  first_seen: string
  acknowledged_at?: string
  acknowledged_by?: string
  /** Of the acknowledgment, by a key that whoever changes the code does not have. */
  seal?: string
  /** The acknowledgment note. */
  note?: string
  /** It was acknowledged, and its code has changed since. */
  changed_since_acknowledgment?: true
}

/** Words that say nothing of what a decision is about. */
const STOP = new Set(
  'a an and are as at be been by can could do does for from had has have how if in into is it its may must no not of on or should so than that the their then there these they this to under was were what when where which who why will with would new adds added add introduces introduced uses used use using now code file change changes changed here without instead via per each all any some be being'.split(
    ' ',
  ),
)

/**
 * The words of a summary that identify it, sorted, each once: in lower case, without common words and endings, so that a
 * rewording with the same nouns and verbs gives the same words.
 */
export function listKeywords(summary: string): string[] {
  const words = summary
    .normalize('NFKC')
    .slice(0, 2000)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return [...new Set(words.filter(word => word.length > 1 && !STOP.has(word)).map(stem))].sort()
}

/** An English word without the commonest endings. */
function stem(word: string): string {
  if (word.length <= 4) return word.replace(/s$/, '')
  const short = word.replace(/(?:ations?|ating|ated?|ings?|ed|ers?|ors?|ies|es|s)$/, '')
  return short.length >= 3 ? short.replace(/[ey]$/, '') : word
}

/** An id by place and words: the prefix and ten digits of SHA-256 over category, file, enclosing symbol and keywords. */
export function makeId(
  prefix: 'DD' | 'TM',
  { category, file, symbol, summary }: { category: string; file: string; symbol: string; summary: string },
): string {
  const text = JSON.stringify([category, file, symbol, listKeywords(summary)])
  return `${prefix}-${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
}

/** A digest of code that stays when only its white space changes. */
export function digestCode(code: string): string {
  return createHash('sha256').update(code.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 32)
}

/** How alike two summaries are, 0 to 1: the shared part of their keywords. */
export function compareKeywords(one: string, other: string): number {
  const [a, b] = [new Set(listKeywords(one)), new Set(listKeywords(other))]
  if (a.size === 0 || b.size === 0) return 0
  const shared = [...a].filter(word => b.has(word)).length
  return shared / (a.size + b.size - shared)
}
