import { SEVERITIES, type Severity } from '../../base/records/finding.ts'
import { cut } from '../../base/text/words.ts'
import { type Json, list, map, readElement, readString } from './form.ts'

/** A result's rule and the tool component that describes it; both empty where the report describes none. */
export interface Described {
  id: string | undefined
  rule: Json
  component: Json
}

/** Spec "Finding": what other scanners report is taken for this sure where they do not say how sure they are. */
const CONFIDENCE = 0.9
// Maps, since a report may say `constructor`, which every object has.
const PRECISIONS = new Map(Object.entries({ 'very-high': 0.95, high: 0.9, medium: 0.7, low: 0.5 }))
const LEVELS = new Map<string, Severity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'info'],
])
/** The severities, and other words for them, as tools write them in properties. */
const WORDS = new Map<string, Severity>([
  ...SEVERITIES.map(name => [name, name] as const),
  ['moderate', 'medium'],
  ['informational', 'info'],
  ['negligible', 'info'],
  ['blocker', 'critical'],
  ['major', 'high'],
  ['minor', 'low'],
])
const LONGEST_REMEDY = 2000

/** The rule that a result names by its id, index or reference, in the driver or an extension (3.27.5–3.27.7, 3.52). */
export function readDescription(result: Json, run: Json): Described {
  const reference = map(result.rule)
  const tool = map(run.tool)
  const component =
    readElement(tool.extensions, map(reference.toolComponent).index) ??
    list(tool.extensions)
      .map(map)
      .find(({ guid }) => guid !== undefined && guid === map(reference.toolComponent).guid) ??
    map(tool.driver)
  const id = readString(result.ruleId) ?? readString(reference.id)
  const byIndex = readElement(component.rules, result.ruleIndex) ?? readElement(component.rules, reference.index)
  const rule = byIndex ?? byId(id, [component, map(tool.driver), ...list(tool.extensions).map(map)])
  return { id: id ?? readString(rule?.id), rule: rule ?? {}, component }
}

/** A rule by its id, or by the part of a hierarchical id (`CA1000/1`) that is one. */
function byId(id: string | undefined, components: readonly Json[]): Json | undefined {
  for (
    let wanted = id;
    wanted !== undefined && wanted !== '';
    wanted = wanted.slice(0, Math.max(0, wanted.lastIndexOf('/')))
  ) {
    for (const component of components) {
      const found = list(component.rules)
        .map(map)
        .find(rule => rule.id === wanted)
      if (found) return found
    }
  }
  return undefined
}

/** What a message says (3.11): its text, or the string that it names, with its arguments filled in. */
export function findMessage(value: unknown, { rule, component }: Described): string | undefined {
  const message = map(value)
  const id = readString(message.id)
  const named = id === undefined ? undefined : (map(rule.messageStrings)[id] ?? map(component.globalMessageStrings)[id])
  const template =
    readString(message.text) ??
    readString(map(named).text) ??
    readString(message.markdown) ??
    readString(map(named).markdown)
  if (template === undefined) return undefined
  const filled = template.replace(
    /\{(\d{1,3})\}/g,
    (whole, at) => readString(list(message.arguments)[Number(at)]) ?? whole,
  )
  // An embedded link is a number in parentheses: only the words before it mean anything here.
  return filled.replace(/(?<!\\)\[((?:[^\][\\]|\\.)*)\]\(\d+\)/g, '$1').replace(/\\([[\]\\])/g, '$1')
}

/** CVSS-like `security-severity`, else a word of the properties, else the level (3.27.10), which the rule may give. */
export function readSeverity(result: Json, { rule }: Described): Severity {
  const properties = [map(result.properties), map(rule.properties)]
  for (const given of properties) {
    const number = Number(given['security-severity'] ?? Number.NaN)
    if (Number.isFinite(number) && number >= 0 && given['security-severity'] !== '') return byNumber(number)
  }
  for (const given of properties) {
    for (const key of ['severity', 'issue_severity', 'Severity']) {
      const word = WORDS.get(String(given[key]).toLowerCase())
      if (word) return word
    }
  }
  if (result.kind === 'informational') return 'info'
  const level = readString(result.level) ?? readString(map(rule.defaultConfiguration).level)
  return LEVELS.get(level?.toLowerCase() ?? 'warning') ?? 'medium'
}

function byNumber(number: number): Severity {
  if (number >= 9) return 'critical'
  if (number >= 7) return 'high'
  if (number >= 4) return 'medium'
  return number > 0 ? 'low' : 'info'
}

/** How sure the tool says it is; 0.9 where it does not. */
export function readConfidence(result: Json, { rule }: Described): number {
  for (const given of [map(result.properties), map(rule.properties)]) {
    for (const key of ['precision', 'issue_confidence', 'confidence']) {
      const found = PRECISIONS.get(String(given[key]).toLowerCase())
      if (found !== undefined) return found
    }
  }
  return CONFIDENCE
}

/** Weaknesses named in tags, properties, taxa or relationships (3.27.8, 3.49.15), as `CWE-79`, each once, by number. */
export function listWeaknesses(result: Json, { rule }: Described): string[] {
  const named: string[] = []
  for (const given of [map(rule.properties), map(result.properties)]) {
    for (const tag of [...list(given.tags), ...flat(given.cwe), ...flat(given['cwe-id'])]) named.push(String(tag))
  }
  const references = [...list(result.taxa), ...list(rule.relationships).map(relation => map(relation).target)]
  for (const reference of references.map(map)) {
    const taxonomy = String(map(reference.toolComponent).name ?? '')
    if (/cwe/i.test(taxonomy)) named.push(`CWE-${String(reference.id).replace(/^cwe-/i, '')}`)
  }
  const numbers = named.flatMap(name => {
    const found = /(?:^|[^a-z])cwe[-_: ]?0*(\d{1,5})(?!\d)/i.exec(name)?.[1]
    return found === undefined ? [] : [Number(found)]
  })
  return [...new Set(numbers)].sort((a, b) => a - b).map(number => `CWE-${number}`)
}

/** Tags of the rule and the result, without those that name a weakness. */
export function listTags(result: Json, { rule }: Described): string[] {
  const tags = [...list(map(rule.properties).tags), ...list(map(result.properties).tags)].flatMap(
    tag => readString(tag) ?? [],
  )
  return [...new Set(tags)].filter(tag => !/cwe-?\d/i.test(tag)).slice(0, 20)
}

/** A short name for what was found. */
export function readTitle({ rule, id }: Described, message: string): string {
  const described =
    readString(map(rule.shortDescription).text) ?? readString(map(rule.fullDescription).text) ?? readString(rule.name)
  const first = (described && described !== id ? described : message).split(/\r?\n|(?<=[.!?])\s/, 1)[0]!
  return cut(first.trim(), 120)
}

/** How to mend it, as far as the report says: the rule's help, and where to read more. */
export function readRemediation({ rule }: Described): string {
  const help =
    readString(map(rule.help).text) ??
    readString(map(rule.help).markdown) ??
    readString(map(rule.fullDescription).text) ??
    ''
  const uri = readString(rule.helpUri)
  const more = uri !== undefined && !help.includes(uri) ? `See ${uri}` : ''
  return [cut(help, LONGEST_REMEDY), more].filter(Boolean).join('\n')
}

function flat(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}
