import type { JsonSchema } from '../../base/json-schema.ts'
import { getRuleSchema, PACK_SCHEMA } from '../../base/records/rule-file.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { loadExamples } from './load.ts'
import type { Pack } from './pack.ts'

/** What a rule says in a file: its own keys, without what loading adds. */
export type WrittenRule = Record<string, unknown> & { id: string }

/** A rule as it would be written in a file: examples included, defaults left out. */
export function toWrittenRule(rule: CompiledRule): WrittenRule {
  const {
    pack_id: _pack,
    requirement: _requirement,
    digest: _digest,
    digests: _digests,
    number: _number,
    written: _written,
    vicinity: _vicinity,
    ...own
  } = rule
  const { match, clean, written: syntax } = loadExamples(rule)
  const written = { ...own, ...syntax, match: match.map(writtenExample), clean: clean.map(writtenExample) }
  return withoutDefaults(getRuleSchema(rule.type), written) as WrittenRule
}

/** What pack.yaml would say of a pack: all but its rules, defaults left out. */
export function toWrittenPack({ rules: _rules, ...own }: Pack): Record<string, unknown> {
  return withoutDefaults(PACK_SCHEMA, own) as Record<string, unknown>
}

/**
 * A pack as one YAML file: what pack.yaml says, then the rules with their examples under `rules`, and `libraries`. `import-pack` reads it. A comment before
 * a form of a rule by weakness says which id its findings have.
 * Detectors of secrets are not in it: they have files of another kind.
 */
export async function formatPack(pack: Pack, libraries: readonly object[] = []): Promise<string> {
  const { Document, isMap, isSeq } = await import('yaml')
  const rules = pack.rules.filter(isWritten).map(toWrittenRule)
  const document = new Document(
    { ...toWrittenPack(pack), rules, ...(libraries.length > 0 && { libraries }) },
    { aliasDuplicateObjects: false },
  )
  const items = document.get('rules')
  for (const [index, { id }] of rules.entries()) {
    const item = isSeq(items) ? items.items[index] : undefined
    if (isMap(item) && resolveRuleId(id) !== id) item.commentBefore = ` Findings have the id ${resolveRuleId(id)}.`
  }
  return document.toString({ lineWidth: 0 })
}

/** Whether a rule can stand in a pack file. */
export function isWritten({ type }: CompiledRule): boolean {
  return type !== 'secret'
}

/** Plain data as YAML for people: long texts as blocks, no anchors. */
export async function formatYaml(data: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(data, { aliasDuplicateObjects: false, lineWidth: 0 })
}

function writtenExample({ code, path }: { code: string; path?: string }): unknown {
  return path === undefined ? code : { path, code }
}

/** A copy without the properties that say what the schema's default says. */
function withoutDefaults(schema: JsonSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => withoutDefaults(schema?.items, item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, each]) => {
    const standard = schema?.properties?.[key]?.default
    return each !== undefined && (standard === undefined || JSON.stringify(each) !== JSON.stringify(standard))
  })
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutDefaults(schema?.properties?.[key], each)]))
}
