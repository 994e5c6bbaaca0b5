import type { SgNode } from '@ast-grep/napi'
import type { TaintRule } from '../../base/records/rule.ts'
import type { ActiveRules } from '../rules/active-rules.ts'
import type { RawMatch } from '../rules/match.ts'
import { findDeclared, listEnumerationNames } from '../simple-types/file-types.ts'
import { findSimpleTypes } from '../simple-types/languages.ts'
import { judgeType } from '../simple-types/types.ts'
import type { DeclaredTypes } from './analysis.ts'
import { type Analyzed, analyzeFile } from './file-analysis.ts'
import { DEEPEST } from './functions.ts'
import type { ModuleForm } from './ir.ts'
import { buildKnowledge, type Knowledge } from './knowledge.ts'
import { findAdapter } from './languages/adapters.ts'
import { KeptStatements } from './languages/kept-statements.ts'
import { addLibraries, findModel } from './models.ts'
import { hasRelevantBody } from './relevance.ts'
import { findRoots } from './roots.ts'
import { findRun, type Run } from './runs.ts'

/** Confidence where every step of the way is seen, and where a call was passed that cannot be. */
export const SEEN = 0.95
export const GUESSED = 0.8
/** Confidence where the input comes from a kind of source that is followed because the configuration asks for it. */
const ASKED = 0.5
/** Confidence where nothing is known of the origin: of a text, and of what may be none. */
const TEXT_OF_UNKNOWN = 0.8
const ORIGIN_UNKNOWN = 0.5

/** Calls within calls that are followed with values of unknown origin: what a function near by makes of them, and fixed texts that it gives. */
const NEAR = 1

const known = new WeakMap<ActiveRules, Map<string, Knowledge>>()
/** What a tree was lowered to, for the next run over it. */
const lowered = new WeakMap<SgNode, ModuleForm>()
const kept = new WeakMap<ActiveRules, Map<string, KeptStatements>>()

const NOTHING = { matches: [], alone: [], exhausted: [] }

/**
 * What the taint rules with these indexes find in a file, in one run; and the functions that took too many steps, as the analysis has them.
 * All of them are of this run.
 */
export function runTaint(
  rules: ActiveRules,
  run: Run,
  indexes: readonly number[],
  language: string,
  root: SgNode,
  text: string,
): Omit<Analyzed, 'hits'> & { matches: RawMatch[] } {
  const adapter = findAdapter(language)
  const asked = indexes.map(index => rules.rules[index] as TaintRule)
  const knowledge = knowledgeFor(rules, language, run)
  if (!adapter || !knowledge) return NOTHING
  const active = new Set(indexes)
  const module = lowered.get(root) ?? adapter.lower(root, text, rules.isResident ? keptFor(rules, language) : undefined)
  lowered.set(root, module)
  const roots = findRoots(module, text, asked, language)
  if (roots.isIdle || (roots.forms.length === 0 && !hasRelevantBody(module, text, asked, language))) return NOTHING
  const declared = readDeclared(language, root, text)
  const depth = run === 'unknown' ? DEEPEST - NEAR : 0
  const { hits, ...analyzed } = analyzeFile(module, text, knowledge, roots, declared, { depth })
  const matches = hits
    .filter(({ rule }) => active.has(rule))
    .map(({ rule, start, end, flow, unsure, kind }): RawMatch => {
      if (flow.length === 0) return { rule, start, end }
      const { asked_sources = [] } = rules.rules[rule] as TaintRule
      const isAsked = kind !== undefined && asked_sources.includes(kind)
      const confidence =
        run === 'unknown' ? (unsure ? ORIGIN_UNKNOWN : TEXT_OF_UNKNOWN) : isAsked ? ASKED : unsure ? GUESSED : SEEN
      return { rule, start, end, flow, confidence }
    })
  return { matches, ...analyzed }
}

/** What the file declares of types: its tree is searched for them when a type is asked about that no model knows. */
export function readDeclared(language: string, root: SgNode, text: string): DeclaredTypes {
  const simple = findSimpleTypes(language)
  if (!simple) return { isSimple: () => false, isEnumeration: () => false }
  const known = new Map<string, boolean>()
  // Each tainted call asks, nearly always about no type of the file, and to walk its tree takes as long as all the rest of the analysis.
  let names: ReadonlySet<string> | undefined
  return {
    isSimple(type) {
      let found = known.get(type)
      if (found === undefined) {
        found = judgeType(type, simple, findDeclared(root, language, simple)) === 'simple'
        known.set(type, found)
      }
      return found
    },
    isEnumeration(name) {
      names ??= listEnumerationNames(text, simple)
      return names.has(name) && findDeclared(root, language, simple).enumerations.has(name)
    },
  }
}

/** What is kept of a language's statements as long as the rules are in use. */
function keptFor(rules: ActiveRules, language: string): KeptStatements {
  const byLanguage = kept.get(rules) ?? new Map<string, KeptStatements>()
  kept.set(rules, byLanguage)
  const own = byLanguage.get(language) ?? new KeptStatements()
  byLanguage.set(language, own)
  return own
}

/** Built once a rule set, language and run; rules whose literals are not in a file find nothing in it, so all may be in. */
export function knowledgeFor(rules: ActiveRules, language: string, run: Run = 'known'): Knowledge | undefined {
  const key = `${language} ${run}`
  let byLanguage = known.get(rules)
  if (!byLanguage) {
    byLanguage = new Map()
    known.set(rules, byLanguage)
  }
  const found = byLanguage.get(key)
  if (found) return found
  const model = findModel(language)
  if (!model) return undefined
  const own: { index: number; rule: TaintRule }[] = []
  rules.rules.forEach((rule, index) => {
    if (rule.type === 'taint' && rule.languages.includes(language) && findRun(rule) === run) own.push({ index, rule })
  })
  const added = new Set(own.flatMap(({ rule }) => rule.libraries ?? []))
  const taught = [...added].filter(({ languages }) => languages.includes(language))
  const made = buildKnowledge(addLibraries(model, taught), own)
  byLanguage.set(key, made)
  return made
}
