import type { AttributedCommit } from '../../engine/assure/attribution/attribute.ts'
import { sumContributions } from '../../engine/assure/attribution/attribute.ts'
import { renderAttribution } from '../../engine/assure/attribution/page.ts'
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
  'AI attribution': () => {
    const commits = hostileCommits()
    const sums = sumContributions(commits, new Map([['human', 3]]))
    return renderAttribution(HOSTILE[0], HOSTILE[2], sums, commits, [HOSTILE[0]])
  },
  'trust center': () => renderTrustHtml(makeTrustCenter(hostileAssessment(), HOSTILE[0])),
}

/** Commits of a person and of an agent with a hostile name. */
function hostileCommits(): AttributedCommit[] {
  return [null, HOSTILE[0]].map((agent, at) => ({
    ...{ sha: String(at).repeat(40), time: '2026-01-01T00:00:00Z', agent, added: 12, deleted: 3 },
    ...{ basis: agent === null ? 'none' : 'trailer', confidence: agent === null ? 'low' : 'medium' },
  })) as AttributedCommit[]
}

/** The documents that are opened in the browser. */
export const DOCUMENTS = Object.keys(RENDER)

/** A document with hostile names in it. */
export function renderDocument(name: string): string {
  return [...RENDER[name]!()].join('')
}
