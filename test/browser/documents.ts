import { renderCompliance } from '../../engine/assure/documents/compliance.ts'
import { hostileAssessment } from '../assure/documents/assessment.ts'

const RENDER: Record<string, () => Iterable<string>> = {
  'compliance report': () => renderCompliance('html', hostileAssessment()),
}

/** The documents that are opened in the browser. */
export const DOCUMENTS = Object.keys(RENDER)

/** A document with hostile names in it. */
export function renderDocument(name: string): string {
  return [...RENDER[name]!()].join('')
}
