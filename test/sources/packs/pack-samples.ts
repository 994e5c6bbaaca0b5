import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'
import { readPack, readRule } from '../../../engine/sources/packs/parse.ts'

const place = () => ({ file: 'sample' })

/** A regex rule that finds a word, as a rule file says it. */
export function wordRuleData(word: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `acme-${word}`,
    type: 'regex',
    title: `The word ${word}`,
    message: `Somebody wrote ${word}.`,
    severity: 'medium',
    languages: ['any'],
    remediation: `Do not write ${word}.`,
    regex: `\\b${word}\\b`,
    match: [`the ${word}`],
    clean: ['nothing of the kind'],
    ...more,
  }
}

export function ruleOf(data: Record<string, unknown>, packId = 'acme'): CompiledRule {
  return readRule(data, 'sample', packId, place)
}

/** A pack with these rules; `head` as pack.yaml says it. */
export function packWith(rules: readonly Record<string, unknown>[], head: Record<string, unknown> = {}): Pack {
  const said = { id: 'acme', version: '1.0.0', name: 'Acme', description: 'House rules.', ...head }
  return { ...readPack(said, 'sample', place), rules: rules.map(rule => ruleOf(rule)) }
}
