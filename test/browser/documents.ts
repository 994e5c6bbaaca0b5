import { makeEvidenceMap } from '../../engine/assure/controls/evidence-map.ts'
import { renderCompliance } from '../../engine/assure/documents/compliance.ts'
import { renderGapHtml } from '../../engine/assure/documents/gap.ts'
import { renderMapHtml } from '../../engine/assure/documents/map.ts'
import { renderOrganizationHtml } from '../../engine/assure/documents/organization.ts'
import { renderRiskHtml } from '../../engine/assure/documents/risk-html.ts'
import { groupTrend, renderTrendHtml } from '../../engine/assure/documents/trend.ts'
import { makeTrustCenter } from '../../engine/assure/documents/trust-center.ts'
import { renderTrustHtml } from '../../engine/assure/documents/trust-center-html.ts'
import { hostileAssessment } from '../assure/documents/assessment.ts'
import { hostileOrganization } from '../assure/documents/organization.ts'
import { hostileGaps, hostileSummary, POINTS } from '../assure/documents/summary.ts'
import { HOSTILE } from '../assure/fixture.ts'

const RENDER: Record<string, () => Iterable<string>> = {
  'compliance report': () => renderCompliance('html', hostileAssessment()),
  'evidence map': () => renderMapHtml(hostileAssessment(), makeEvidenceMap(hostileAssessment())),
  'compliance trend': () => renderTrendHtml(HOSTILE[0], HOSTILE[2], groupTrend(POINTS)),
  'risk summary': () => renderRiskHtml(hostileSummary()),
  'organization dashboard': () => renderOrganizationHtml(hostileOrganization()),
  'gap analysis': () => renderGapHtml(hostileGaps()),
  'trust center': () => renderTrustHtml(makeTrustCenter(hostileAssessment(), HOSTILE[0])),
}

/** The documents that are opened in the browser. */
export const DOCUMENTS = Object.keys(RENDER)

/** A document with hostile names in it. */
export function renderDocument(name: string): string {
  return [...RENDER[name]!()].join('')
}
