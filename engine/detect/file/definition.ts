import { RULE_TYPES } from '../../base/records/rule.ts'
import { getRuleSchema, PACK_SCHEMA } from '../../base/records/rule-file.ts'

/** A stretch of a text, in UTF-16 units from its start. */
export interface Stretch {
  start: number
  end: number
}

/** The fields of a rule or detector that quote what is to be found, or what is right instead. */
const QUOTING = new Set(
  'match clean remediation corrected_code regex format when rule constraints utils transform fix sinks sources own_sources cleaners'.split(
    ' ',
  ),
)
/** The required keys of a rule's file, and of a detector's, whose title may follow from its credential. */
const FORMS = [
  ['id', 'type', 'title', 'message', 'severity', 'languages', 'remediation', 'match', 'clean'],
  ['id', 'provider', 'credential', 'severity', 'source', 'revoke', 'match', 'clean'],
  ['id', 'provider', 'title', 'severity', 'source', 'revoke', 'match', 'clean'],
]
const KEYS_OF_DETECTORS =
  'provider credential format armor generic min_entropy near checksum require_checksum confidence source revoke verify'.split(
    ' ',
  )
const KNOWN = new Set(
  RULE_TYPES.flatMap(type => Object.keys(getRuleSchema(type).properties ?? {})).concat(KEYS_OF_DETECTORS),
)

/**
 * Where a file that defines a rule, a detector of secrets, or a pack with its rules as it is exported, quotes code: its examples, its patterns, its remediation. What
 * is found there is what the file was written to describe. Empty for every other file: each top-level key must be one of a
 * definition's, and none that it needs may be missing, so that no file which holds anything else is taken for one.
 */
export function findQuotedStretches(language: string, text: string): Stretch[] {
  if (language !== 'yaml' || !/^(?: {4})?match:/m.test(text)) return []
  const top = stretchesOf(text, 0, text.length, TOP)
  if (top.length > 0) return top
  const pack = keysIn(text, 0, text.length, TOP)
  const names = pack.map(({ name }) => name)
  const rules = pack.find(({ name }) => name === 'rules')
  if (!rules || !names.every(name => PACK_KEYS.has(name)) || !OF_PACKS.every(name => names.includes(name))) return []
  const starts = [...text.slice(rules.start, rules.end).matchAll(/^ {2}- /gm)].map(({ index }) => rules.start + index)
  const found = starts.map((start, at) => stretchesOf(text, start, starts[at + 1] ?? rules.end, IN_PACK))
  return found.every(stretches => stretches.length > 0) ? found.flat() : []
}

/** A key of a mapping at the left edge, and one of a rule in the list of a pack as it is exported. */
const TOP = /^([A-Za-z_][\w-]*):(?=\s)/gm
const IN_PACK = /^(?: {2}- | {4})([A-Za-z_][\w-]*):(?=\s)/gm
/** The keys of a pack's file, and those that it cannot do without. */
const PACK_KEYS = new Set(['rules', ...Object.keys(PACK_SCHEMA.properties ?? {})])
const OF_PACKS = ['id', 'version', 'name', 'description', 'rules']

/** Where the rule or detector between two places quotes; none where anything else stands there. */
function stretchesOf(text: string, from: number, to: number, key: RegExp): Stretch[] {
  const keys = keysIn(text, from, to, key)
  const names = keys.map(({ name }) => name)
  if (new Set(names).size !== names.length || !names.every(name => KNOWN.has(name))) return []
  if (!FORMS.some(form => form.every(name => names.includes(name)))) return []
  return keys.flatMap(({ name, start, end }) => (QUOTING.has(name) ? [{ start, end }] : []))
}

function keysIn(text: string, from: number, to: number, key: RegExp): (Stretch & { name: string })[] {
  const found = [...text.slice(from, to).matchAll(key)]
  return found.map(({ 1: name, index }, at) => {
    const next = found[at + 1]
    return { name: name!, start: from + index, end: next ? from + next.index : to }
  })
}
