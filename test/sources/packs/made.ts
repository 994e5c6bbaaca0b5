import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'

/** A textual rule with every field set. */
export function ruleOf(id: string, over: Partial<CompiledRule> = {}): CompiledRule {
  return {
    id,
    type: 'regex',
    pack_id: 'tech',
    title: 'A word is there',
    message: 'The word does harm.',
    severity: 'medium',
    category: 'code',
    languages: ['any'],
    cwe: [],
    tags: [],
    remediation: 'Take it out.',
    references: [],
    files: [],
    exclude_files: [],
    regex: 'harm',
    ignore_case: false,
    contexts: [],
    match: [],
    clean: [],
    requirement: [],
    ...over,
  } as CompiledRule
}

/** A pack with every field set. */
export function packOf(id: string, over: Partial<Pack> = {}): Pack {
  return {
    id,
    version: '1.0.0',
    name: id,
    description: 'A pack.',
    tier: 'open',
    languages: [],
    rules: [],
    obligations: [],
    controls: [],
    deadlines: [],
    lint_exceptions: [],
    ...over,
  }
}
