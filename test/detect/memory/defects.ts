import { expect } from 'vitest'
import { DEFECTS } from '../../../engine/base/records/rule.ts'
import { type Analyzed, analyzeMemory } from '../../../engine/detect/memory/analyse.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'

registerGrammars()
const ALL = new Set(DEFECTS)

/** A text as it is analyzed for every defect. */
export function analyzeAll(code: string, language: 'c' | 'cpp' = 'c'): Analyzed {
  return analyzeMemory(code, language, ALL)
}

/** The defects of a text of which each function can be carried out, each once. */
export function findDefects(code: string, language: 'c' | 'cpp' = 'c'): string[] {
  const { reports, untold } = analyzeAll(code, language)
  expect(untold).toEqual([])
  return [...new Set(reports.map(({ defect }) => defect))]
}
