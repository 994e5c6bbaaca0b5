import type { Assessment } from '../controls/assessment.ts'
import { makeComponentDefinition } from '../oscal/component.ts'
import { renderAssessmentResults } from '../oscal/results.ts'
import { renderComplianceHtml } from './compliance-html.ts'
import { renderComplianceMarkdown } from './compliance-markdown.ts'
import { type EvidencePackage, makeEvidencePackage } from './evidence-package.ts'

/** Formats of compliance reports and evidence exports. */
export const DOCUMENT_FORMATS = ['html', 'json', 'md', 'oscal', 'oscal-component'] as const
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

export const DOCUMENT_FILES: Record<DocumentFormat, { extension: string; media: string }> = {
  html: { extension: 'html', media: 'text/html; charset=utf-8' },
  json: { extension: 'json', media: 'application/json' },
  md: { extension: 'md', media: 'text/markdown; charset=utf-8' },
  oscal: { extension: 'oscal.json', media: 'application/json' },
  'oscal-component': { extension: 'oscal-component.json', media: 'application/json' },
}

/** The evidence of all frameworks of an assessment as data. */
export interface EvidencePackages {
  generated_at: string
  run_id: string
  packages: EvidencePackage[]
}

export function makeEvidencePackages(assessment: Assessment): EvidencePackages {
  return {
    generated_at: assessment.generated_at,
    run_id: assessment.run.id,
    packages: assessment.frameworks.map(framework => makeEvidencePackage(assessment, framework)),
  }
}

/** A document of an assessment in one format, in pieces; `json` is that of the whole assessment. */
export function renderCompliance(format: DocumentFormat, assessment: Assessment): Iterable<string> {
  if (format === 'html') return renderComplianceHtml(assessment)
  if (format === 'md') return renderComplianceMarkdown(assessment)
  if (format === 'oscal') return renderAssessmentResults(assessment)
  if (format === 'oscal-component') return [encode(makeComponentDefinition(assessment))]
  return [encode(makeEvidencePackages(assessment))]
}

function encode(value: unknown): string {
  return `${JSON.stringify(value, undefined, 1)}\n`
}
