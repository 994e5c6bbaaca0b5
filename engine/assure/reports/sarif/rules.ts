import type { Severity } from '../../../base/records/finding.ts'
import type { RuleType } from '../../../base/records/rule.ts'
import { replaceLoneSurrogates } from '../../../base/text/visible.ts'
import type { ReportRule } from '../../model.ts'
import { parseCweNumber, type Taxonomies } from './taxonomies.ts'

/** SARIF's levels; info is a note as low is, and told apart by properties.severity. */
export const LEVELS: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
}

/** Within the bands that GitHub reads: over 9.0 critical, from 7.0 high, from 4.0 medium, from 0.1 low. Text, as it asks. */
const SECURITY_SEVERITY: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.5',
  info: '0.1',
}

/** Structure beats text: a syntax tree cannot mistake a comment for code. */
const PRECISION: Record<RuleType, string> = {
  ast: 'high',
  regex: 'medium',
  required_pattern: 'very-high',
  file_policy: 'very-high',
  secret: 'high',
  taint: 'high',
  memory: 'high',
  llm: 'low',
  resource: 'very-high',
}

/** GitHub's limit. */
const MAX_TAGS = 20

/** A rule as tool.driver.rules holds it (SARIF 2.1.0, 3.49); ids that it had before are in deprecatedIds (3.49.4). */
export function toSarifRule(rule: ReportRule, taxonomies: Taxonomies): unknown {
  const references = rule.references.map(absolute).filter(uri => uri !== undefined)
  const relationships = taxonomies.of(rule).map(target => ({ target, kinds: ['relevant'] }))
  const isSecurity = rule.cwe.length > 0 || rule.tags.includes('security') || rule.category === 'secret'
  return {
    id: replaceLoneSurrogates(rule.id),
    ...(rule.former && { deprecatedIds: rule.former }),
    name: pascalCase(rule.id),
    shortDescription: { text: joinSome(rule.title, rule.id) },
    fullDescription: { text: joinSome(rule.message, rule.title, rule.id) },
    help: { text: helpText(rule), markdown: helpMarkdown(rule, references) },
    ...(references.length > 0 && { helpUri: references[0] }),
    defaultConfiguration: { level: LEVELS[rule.severity] },
    ...(relationships.length > 0 && { relationships }),
    properties: {
      tags: tagsOf(rule, isSecurity),
      ...(isSecurity && { 'security-severity': SECURITY_SEVERITY[rule.severity] }),
      precision: rule.type ? PRECISION[rule.type] : 'medium',
      'problem.severity': { error: 'error', warning: 'warning', note: 'recommendation' }[LEVELS[rule.severity]],
      severity: rule.severity,
      pack: replaceLoneSurrogates(rule.pack_id),
    },
  }
}

/** The first text that says anything. */
export function joinSome(...texts: string[]): string {
  return replaceLoneSurrogates(texts.find(text => text.trim() !== '') ?? 'Unnamed')
}

function tagsOf(rule: ReportRule, isSecurity: boolean): string[] {
  const cwe = rule.cwe.map(parseCweNumber).filter(id => /^\d+$/.test(id))
  const tags = [
    ...(isSecurity ? ['security'] : []),
    ...cwe.map(id => `external/cwe/cwe-${id.padStart(3, '0')}`),
    ...rule.tags.map(replaceLoneSurrogates),
  ]
  return [...new Set(tags)].slice(0, MAX_TAGS)
}

function helpText(rule: ReportRule): string {
  return (
    [rule.message, rule.remediation, rule.references.join('\n')]
      .filter(text => text.trim() !== '')
      .map(replaceLoneSurrogates)
      .join('\n\n') || joinSome(rule.title, rule.id)
  )
}

function helpMarkdown(rule: ReportRule, references: readonly string[]): string {
  const parts = [
    `**${joinSome(rule.title, rule.id)}**`,
    rule.message,
    rule.remediation && `## Remediation\n\n${rule.remediation}`,
    references.length > 0 && `## References\n\n${references.map(uri => `- <${uri}>`).join('\n')}`,
    rule.controls.length > 0 && `## Controls\n\n${rule.controls.map(c => `- ${c.framework} ${c.control}`).join('\n')}`,
  ]
  return replaceLoneSurrogates(parts.filter(Boolean).join('\n\n'))
}

/** An address with nothing in it that would be written another way. Most are such, and to take one apart takes ten microseconds. */
const PLAIN_ADDRESS =
  /^https:\/\/(?!.*xn--)(?:[a-z][a-z0-9-]*\.)+[a-z]+\/(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?(?:#[\w.-]+)?$/

/** The reference as a URI of RFC 3986, which is stricter than what browsers take; undefined where it is something else, a book's title for example. */
function absolute(reference: string): string | undefined {
  if (PLAIN_ADDRESS.test(reference)) return reference
  if (!/^https?:\/\//.test(reference) || !URL.canParse(reference)) return undefined
  const { protocol, host, pathname, search, hash } = new URL(reference)
  const query = search && `?${strict(search.slice(1))}`
  const fragment = hash && `#${strict(hash.slice(1))}`
  return `${protocol}//${host}${strict(pathname)}${query}${fragment}`
}

function strict(part: string): string {
  return part.replace(/%(?![0-9a-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]/gi, encodeURIComponent)
}

function pascalCase(id: string): string {
  const words = id.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Rule'
}
