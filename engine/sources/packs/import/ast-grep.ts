import { EngineError } from '../../../base/errors.ts'
import type { WrittenRule } from '../pack-file.ts'
import { type Draft, type DraftRule, type LeftOut, makeRuleId } from './draft.ts'
import { addExamples, listTexts, makeTitle, NotTaken, resolveLanguage } from './foreign-rule.ts'
import { isMap } from './own.ts'
import type { SourceDocument } from './source.ts'

const SEVERITIES: Readonly<Record<string, string>> = { error: 'high', warning: 'medium', info: 'low', hint: 'info' }
/** Keys of a rule file; any other is a fault, since it may change what the rule means. */
const KNOWN = new Set(
  'id language rule message severity note fix constraints utils transform files ignores url metadata labels'.split(' '),
)

/** Whether a document is a rule of ast-grep. */
export function isAstGrepRule(data: unknown): boolean {
  return isMap(data) && 'rule' in data && 'language' in data
}

/** Whether it is a test of one: an id with code that is valid and code that is not. */
export function isAstGrepTest(data: unknown): boolean {
  return isMap(data) && 'id' in data && (Array.isArray(data.valid) || Array.isArray(data.invalid)) && !('rule' in data)
}

/** ast-grep's rules as svc's, which run on the same engine; tests among the documents become examples. */
export function convertAstGrepRules(
  documents: readonly SourceDocument[],
  packId: string,
): Pick<Draft, 'rules' | 'left_out'> {
  const tests = new Map<string, { match: string[]; clean: string[] }>()
  for (const { data } of documents) {
    if (!isAstGrepTest(data)) continue
    const { id, valid, invalid } = data as Record<string, unknown>
    tests.set(String(id), { match: listTexts(invalid), clean: listTexts(valid) })
  }
  const rules: DraftRule[] = []
  const left_out: LeftOut[] = []
  for (const { data, file, place } of documents) {
    if (!isAstGrepRule(data)) continue
    const raw = data as Record<string, unknown>
    const id = String(raw.id ?? '')
    try {
      const written = translated(raw, packId)
      rules.push({ data: addExamples(written, tests.get(id) ?? { match: [], clean: [] }), file, place })
    } catch (error) {
      left_out.push({ id: id || '(no id)', reason: readReason(error), place: place([], 'value') })
    }
  }
  return { rules, left_out }
}

/** Why a rule could not be taken: what NotTaken says, or what svc refuses in it. */
export function readReason(error: unknown): string {
  if (error instanceof NotTaken) return error.message
  if (error instanceof EngineError) return error.faults[0]?.message ?? error.message
  throw error
}

function translated(raw: Record<string, unknown>, packId: string): WrittenRule {
  const unknown = Object.keys(raw).find(key => !KNOWN.has(key))
  if (unknown !== undefined) throw new NotTaken(`its key ${unknown} has no counterpart`)
  if (raw.severity === 'off') throw new NotTaken('its severity is off')
  if (raw.fix !== undefined && typeof raw.fix !== 'string') throw new NotTaken('its fix is not a plain string')
  const message =
    typeof raw.message === 'string' && raw.message.trim() !== '' ? raw.message.trim() : `The rule ${raw.id} matches.`
  const foreign = foreignMatch(raw.rule, new Set(Object.keys(isMap(raw.utils) ? raw.utils : {})))
  if (foreign !== undefined) throw new NotTaken(`it uses the shared rule ${foreign}, which is not in its file`)
  const optional = ['constraints', 'utils', 'transform', 'fix'].filter(key => raw[key] !== undefined)
  return {
    id: makeRuleId(String(raw.id ?? ''), packId),
    type: 'ast',
    title: makeTitle(message),
    message,
    severity: SEVERITIES[String(raw.severity ?? 'hint')] ?? 'medium',
    languages: [resolveLanguage(String(raw.language))],
    remediation: typeof raw.note === 'string' && raw.note.trim() !== '' ? raw.note.trim() : message,
    references: listTexts(raw.url),
    files: listTexts(raw.files),
    exclude_files: listTexts(raw.ignores),
    rule: raw.rule,
    ...Object.fromEntries(optional.map(key => [key, raw[key]])),
  }
}

/** A rule that `matches` names and that is not among these. */
function foreignMatch(rule: unknown, local: ReadonlySet<string>): string | undefined {
  if (typeof rule !== 'object' || rule === null) return undefined
  for (const [key, value] of Object.entries(rule)) {
    if (key === 'matches' && typeof value === 'string' && !local.has(value)) return value
    const inner = foreignMatch(value, local)
    if (inner !== undefined) return inner
  }
  return undefined
}
