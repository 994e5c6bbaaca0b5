import { ruleSchema } from './rule-file.ts'

/** A stretch of a text, in UTF-16 units from its start. */
export interface Stretch {
  start: number
  end: number
}

/** The fields of a rule or detector that quote what is to be found, or what is right instead. */
const QUOTING = new Set(
  'match clean remediation regex format when rule constraints utils transform fix sinks sources own_sources cleaners'.split(
    ' ',
  ),
)
/** What a file of a rule, and one of a detector, cannot do without. */
const FORMS = [
  ['id', 'type', 'title', 'message', 'severity', 'languages', 'remediation', 'match', 'clean'],
  ['id', 'provider', 'title', 'severity', 'source', 'revoke', 'match', 'clean'],
]
const KEYS_OF_DETECTORS =
  'provider format generic min_entropy near checksum require_checksum confidence source revoke verify'.split(' ')
const KNOWN = new Set(
  ['ast', 'regex', 'required_pattern', 'file_policy', 'taint']
    .flatMap(type => Object.keys(ruleSchema(type).properties ?? {}))
    .concat(KEYS_OF_DETECTORS),
)

/**
 * Where a file that defines a rule or a detector of secrets quotes code: its examples, its patterns, its remediation. What
 * is found there is what the file was written to describe. Empty for every other file: each top-level key must be one of a
 * definition's, and none that it needs may be missing, so that no file which holds anything else is taken for one.
 */
export function quotedStretches(language: string, text: string): Stretch[] {
  if (language !== 'yaml' || !/^match:/m.test(text)) return []
  const keys = [...text.matchAll(/^([A-Za-z_][\w-]*):(?=\s)/gm)]
  const names = keys.map(([, name]) => name!)
  if (new Set(names).size !== names.length || !names.every(name => KNOWN.has(name))) return []
  if (!FORMS.some(form => form.every(name => names.includes(name)))) return []
  return keys.flatMap(({ 1: name, index }, at) =>
    QUOTING.has(name!) ? [{ start: index, end: keys[at + 1]?.index ?? text.length }] : [],
  )
}
