import { EngineError, type Fault, type Place } from '../../base/errors.ts'
import { fillInDefaults, findFaults, type JsonSchema } from '../../base/json-schema.ts'
import type { Example, PackedRule, Rule } from '../../base/records/rule.ts'
import { getRuleSchema, PACK_SCHEMA } from '../../base/records/rule-file.ts'
import { deriveRequirement, findRuleKind } from '../../detect/file/requirement.ts'
import { compileExpression } from '../../detect/file/rule-set.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { RuleFault } from '../../detect/rules/detector.ts'
import { parseYaml } from '../config/parse.ts'
import { describeFarLook, findFarLooks } from './look-around.ts'
import type { Pack } from './pack.ts'
import { type RuleNamed, resolveTakenSinks } from './taken-sinks.ts'

/** A rule file's text as a compiled rule, or PACK_INVALID with every fault and its line. `file` is what messages call it. */
export async function parseRule(source: Uint8Array, file: string, packId: string): Promise<CompiledRule> {
  const { data, place } = await parseFile(source, file)
  return readRule(data, file, packId, place)
}

/**
 * The same for a rule that is parsed already; `place` says where what stands under a path of its keys was written, `named` finds
 * the other rules of its pack.
 */
export function readRule(
  data: unknown,
  file: string,
  packId: string,
  place: PlaceOf,
  named: RuleNamed = () => undefined,
): CompiledRule {
  const type = String((data as { type?: unknown } | null)?.type)
  const { data: whole, fault } = resolveTakenSinks(data, named)
  if (fault !== undefined) throw refusePack(file, [{ message: fault, place: place(['sinks'], 'value') }])
  const raw = checked(getRuleSchema(type), whole, file, place) as Rule
  const rule = { ...raw, match: raw.match.map(example), clean: raw.clean.map(example), pack_id: packId } as PackedRule
  const faults = deeperFaults(rule).map(({ key, message }) => ({
    message: `${rule.id}: ${message}`,
    place: place([key], 'value'),
  }))
  if (faults.length > 0) throw refusePack(file, faults)
  return { ...(findRuleKind(rule).compile?.(rule) ?? rule), requirement: deriveRequirement(rule) }
}

/** pack.yaml's text as a pack without its rules. */
export async function parsePack(source: Uint8Array, file: string): Promise<Pack> {
  const { data, place } = await parseFile(source, file)
  return readPack(data, file, place)
}

/** The same for one that is parsed already, as in `readRule`. */
export function readPack(data: unknown, file: string, place: PlaceOf): Pack {
  return { ...(checked(PACK_SCHEMA, data, file, place) as Omit<Pack, 'rules'>), rules: [] }
}

function example(given: unknown): Example {
  return typeof given === 'string' ? { code: given } : (given as Example)
}

/** Faults that a JSON Schema cannot see. */
function deeperFaults(rule: PackedRule): RuleFault[] {
  const kind = findRuleKind(rule)
  const out: RuleFault[] = []
  for (const { path, source } of kind.listExpressions(rule)) {
    const [key] = path as [string]
    try {
      compileExpression(source, false)
      for (const look of findFarLooks(source)) out.push({ key, message: `${path.join('.')}: ${describeFarLook(look)}` })
    } catch (error) {
      out.push({ key, message: `${key} is not a regular expression: ${(error as Error).message}` })
    }
  }
  if (rule.review && rule.severity !== 'low' && rule.severity !== 'info')
    out.push({ key: 'severity', message: 'must be low or info with review: true, which reports no findings' })
  for (const language of rule.corrected_code?.flatMap(({ languages }) => languages) ?? [])
    if (!rule.languages.includes(language))
      out.push({ key: 'corrected_code', message: `corrected_code: ${language} is none of the languages of the rule` })
  return [...out, ...(kind.findFaults?.(rule) ?? [])]
}

/** Where what stands under a path of keys was written. */
export type PlaceOf = (path: readonly string[], part: 'key' | 'value') => Place

/** A file's YAML, or PACK_INVALID where it is none. */
export async function parseFile(source: Uint8Array, file: string): Promise<{ data: unknown; place: PlaceOf }> {
  const { value, faults, placeOf } = await parseYaml(source, file)
  if (faults.length > 0) throw refusePack(file, faults)
  return { data: value, place: placeOf }
}

function checked(schema: JsonSchema, data: unknown, file: string, place: PlaceOf): unknown {
  const filled = fillInDefaults(schema, data ?? {})
  const faults = findFaults(schema, filled)
  if (faults.length === 0) return filled
  throw refusePack(
    file,
    faults.map(({ message, path, known }) => ({ message, place: place(path, known ? 'key' : 'value') })),
  )
}

/** PACK_INVALID for a file with these faults. */
export function refusePack(file: string, faults: Fault[]): EngineError {
  return new EngineError('PACK_INVALID', `${file} is not valid.`, { faults })
}
