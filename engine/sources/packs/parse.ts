import { EngineError, type Fault, type Place } from '../../base/errors.ts'
import { faultsOf, type JsonSchema, withDefaults } from '../../base/json-schema.ts'
import type { Example, PackedRule, Rule } from '../../base/records/rule.ts'
import { PACK_SCHEMA, ruleSchema } from '../../base/records/rule-file.ts'
import { requirementOf } from '../../detect/file/requirement.ts'
import { compileExpression } from '../../detect/file/rule-set.ts'
import { isFreeOfLayout } from '../../detect/lexer/layout.ts'
import { isOfC } from '../../detect/lexer/without-comments.ts'
import { withFastRegexes } from '../../detect/regex/fast-regex.ts'
import type { CompiledRule, WrittenSyntax } from '../../detect/rules/active-rules.ts'
import { AST_LANGUAGES } from '../../detect/syntax/grammar.ts'
import { parseYaml } from '../config/parse.ts'
import type { Pack } from './pack.ts'
import { type RuleNamed, withTakenSinks } from './taken-sinks.ts'

/** A rule file's text as a compiled rule, or PACK_INVALID with every fault and its line. `file` is what messages call it. */
export async function parseRule(source: Uint8Array, file: string, packId: string): Promise<CompiledRule> {
  const { data, place } = await parseFile(source, file)
  return ruleFrom(data, file, packId, place)
}

/**
 * The same for a rule that is parsed already; `place` says where what stands under a path of its keys was written, `named` finds
 * the other rules of its pack.
 */
export function ruleFrom(
  data: unknown,
  file: string,
  packId: string,
  place: PlaceOf,
  named: RuleNamed = () => undefined,
): CompiledRule {
  const type = String((data as { type?: unknown } | null)?.type)
  const { data: whole, fault } = withTakenSinks(data, named)
  if (fault !== undefined) throw invalid(file, [{ message: fault, place: place(['sinks'], 'value') }])
  const raw = checked(ruleSchema(type), whole, file, place) as Rule
  const rule = { ...raw, match: raw.match.map(example), clean: raw.clean.map(example), pack_id: packId } as PackedRule
  const faults = deeperFaults(rule).map(({ key, message }) => ({
    message: `${rule.id}: ${message}`,
    place: place([key], 'value'),
  }))
  if (faults.length > 0) throw invalid(file, faults)
  return { ...compiled(rule), requirement: requirementOf(rule) }
}

/** The rule as it runs; where that is not as it was written, with what was written. */
function compiled(rule: PackedRule): PackedRule & { written?: WrittenSyntax } {
  if (rule.type !== 'ast') return rule
  const written: WrittenSyntax = { rule: rule.rule }
  if (rule.constraints) written.constraints = rule.constraints
  if (rule.utils) written.utils = rule.utils
  const fast = withFastRegexes(written, rule.languages.every(isFreeOfLayout))
  return JSON.stringify(fast) === JSON.stringify(written) ? rule : { ...rule, ...fast, written }
}

/** pack.yaml's text as a pack without its rules. */
export async function parsePack(source: Uint8Array, file: string): Promise<Pack> {
  const { data, place } = await parseFile(source, file)
  return packFrom(data, file, place)
}

/** The same for one that is parsed already, as in `ruleFrom`. */
export function packFrom(data: unknown, file: string, place: PlaceOf): Pack {
  return { ...(checked(PACK_SCHEMA, data, file, place) as Omit<Pack, 'rules'>), rules: [] }
}

function example(given: unknown): Example {
  return typeof given === 'string' ? { code: given } : (given as Example)
}

/** Faults that a JSON Schema cannot see. */
function deeperFaults(rule: Rule): { key: string; message: string }[] {
  const out: { key: string; message: string }[] = []
  const expressions: [key: string, source: string | undefined][] = []
  if (rule.type === 'regex') expressions.push(['regex', rule.regex])
  if (rule.type === 'ast' || rule.type === 'taint') expressions.push(['when', rule.when])
  if (rule.type === 'required_pattern') expressions.push(['regex', rule.regex], ['when', rule.when])
  if (rule.type === 'file_policy' && 'naming' in rule.check) expressions.push(['check', rule.check.naming])
  for (const [key, source] of expressions) {
    if (source === undefined) continue
    try {
      compileExpression(source, false)
    } catch (error) {
      out.push({ key, message: `${key} is not a regular expression: ${(error as Error).message}` })
    }
  }
  if (rule.type === 'ast' && rule.within && (rule.when === undefined || !rule.languages.every(isOfC)))
    out.push({ key: 'within', message: 'within asks for an expression (when) and for rules of c and cpp alone' })
  if (rule.type === 'taint') {
    const kinds = [...rule.sources, ...rule.own_sources.map(({ kind }) => kind ?? 'own')]
    for (const kind of new Set(rule.sinks.flatMap(({ from = [] }) => from)))
      if (!kinds.includes(kind)) out.push({ key: 'sinks', message: `from says ${kind}, which is none of the sources` })
  }
  if (rule.type === 'ast') {
    const foreign = rule.languages.filter(language => !AST_LANGUAGES.includes(language))
    if (foreign.length > 0) {
      out.push({
        key: 'languages',
        message: `there is no grammar for ${foreign.join(', ')}; ast rules take ${AST_LANGUAGES.join(', ')}`,
      })
    }
  }
  return out
}

/** Where what stands under a path of keys was written. */
export type PlaceOf = (path: readonly string[], part: 'key' | 'value') => Place

/** A file's YAML, or PACK_INVALID where it is none. */
export async function parseFile(source: Uint8Array, file: string): Promise<{ data: unknown; place: PlaceOf }> {
  const { value, faults, placeOf } = await parseYaml(source, file)
  if (faults.length > 0) throw invalid(file, faults)
  return { data: value, place: placeOf }
}

function checked(schema: JsonSchema, data: unknown, file: string, place: PlaceOf): unknown {
  const filled = withDefaults(schema, data ?? {})
  const faults = faultsOf(schema, filled)
  if (faults.length === 0) return filled
  throw invalid(
    file,
    faults.map(({ message, path, known }) => ({ message, place: place(path, known ? 'key' : 'value') })),
  )
}

/** PACK_INVALID for a file with these faults. */
export function invalid(file: string, faults: Fault[]): EngineError {
  return new EngineError('PACK_INVALID', `${file} is not valid.`, { faults })
}
