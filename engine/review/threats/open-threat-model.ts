import { isObject } from '../../base/text/json-object.ts'
import type { ThreatDocument } from './assess.ts'
import type { ImportedThreat } from './import.ts'
import { type Level, STRIDE, type Stride, type Threat, type ThreatSeverity, ZONES } from './model.ts'

/** How far a zone is trusted, 0 to 100: an estimate, which a reviewer changes in the tool that reads the file. */
const TRUST: Record<keyof typeof ZONES, number> = {
  ...{ internet: 0, operator: 60, browser: 10, application: 70, host: 80, data: 80, third_party: 20 },
}
const SCORE: Record<Level | ThreatSeverity, number> = { critical: 100, high: 75, medium: 50, low: 25 }

/** The threat model as Open Threat Model 0.2. */
export function writeOpenThreatModel({ model, threats }: ThreatDocument): unknown {
  const at = (id: string) =>
    threats
      .filter(({ element }) => element === id)
      .map(threat => ({
        threat: threat.id,
        state: threat.status === 'mitigated' ? 'mitigated' : 'exposed',
        mitigations: [
          {
            mitigation: `mitigation-${threat.id}`,
            state: threat.status === 'mitigated' ? 'implemented' : 'recommended',
          },
        ],
      }))
  return {
    otmVersion: '0.2.0',
    project: {
      name: model.name,
      id: `svc-${slug(model.name)}`,
      description: 'Data-flow model and STRIDE threats by svc.',
    },
    representations: [{ id: 'repository', name: 'Repository', type: 'code' }],
    trustZones: model.zones.map(zone => ({
      id: zone,
      name: ZONES[zone],
      type: zone,
      risk: { trustRating: TRUST[zone] },
    })),
    components: model.elements.map(({ id, name, kind, zone, technology, places, facts }) => ({
      ...{ id, name, type: technology ?? kind, parent: { trustZone: zone }, threats: at(id), tags: [kind, ...facts] },
      representations: places.slice(0, 10).map(({ file, line, what }, index) => ({
        ...{ representation: 'repository', id: `${id}-${index}`, name: what, file, line },
      })),
    })),
    dataflows: model.flows.map(({ id, from, to, label }) => ({
      ...{ id, name: label, source: from, destination: to, threats: at(id) },
    })),
    threats: threats.map(threat => ({
      ...{ id: threat.id, name: threat.title, description: `${threat.description} ${threat.attack_vector}` },
      categories: [threat.stride],
      cwes: threat.cwe,
      risk: {
        ...{ likelihood: SCORE[threat.likelihood], likelihoodComment: threat.likelihood },
        ...{ impact: SCORE[threat.severity], impactComment: threat.severity },
      },
      attributes: {
        ...{ element: threat.element, component: threat.component, status: threat.status },
        ...(threat.mitigation_note !== undefined && { mitigation_note: threat.mitigation_note }),
      },
    })),
    mitigations: threats.map(({ id, mitigation, status }) => ({
      ...{
        id: `mitigation-${id}`,
        name: mitigation.slice(0, 200),
        description: mitigation,
        riskReduction: status === 'mitigated' ? 100 : 0,
      },
    })),
  }
}

/** The threats of an Open Threat Model: those of components and flows, with their states. */
export function readOpenThreatModel(document: Record<string, unknown>): ImportedThreat[] {
  const named = new Map<string, Record<string, unknown>>()
  for (const each of listObjects(document.threats)) named.set(String(each.id), each)
  const mitigations = new Map(
    listObjects(document.mitigations).map(each => [String(each.id), String(each.description ?? each.name ?? '')]),
  )
  const owners = [...listObjects(document.components), ...listObjects(document.dataflows)]
  return owners.flatMap(owner =>
    listObjects(owner.threats).flatMap((use): ImportedThreat[] => {
      const threat = named.get(String(use.threat))
      if (threat === undefined) return []
      const risk = isObject(threat.risk) ? threat.risk : {}
      const attributes = isObject(threat.attributes) ? threat.attributes : {}
      const mitigation =
        listObjects(use.mitigations)
          .map(each => mitigations.get(String(each.mitigation)) ?? '')
          .find(text => text !== '') ?? ''
      return [
        {
          ...{
            id: String(threat.id),
            element: String(owner.id),
            component: String(owner.name ?? owner.id),
            title: String(threat.name),
          },
          ...{ description: String(threat.description ?? ''), stride: readStride(threat.categories), mitigation },
          likelihood: readLevel(Number(risk.likelihood)),
          severity: readSeverity(Number(risk.impact)),
          cwe: Array.isArray(threat.cwes) ? threat.cwes.map(String) : [],
          status: /^(?:mitigated|mitigate|implemented|closed)$/i.test(String(use.state)) ? 'mitigated' : 'pending',
          ...(typeof attributes.mitigation_note === 'string' && { note: attributes.mitigation_note }),
        },
      ]
    }),
  )
}

export function listObjects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function readStride(categories: unknown): Stride | undefined {
  const words = (Array.isArray(categories) ? categories : []).map(each =>
    String(each)
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  )
  return STRIDE.find(each => words.includes(each))
}

function readLevel(score: number): Level {
  return score >= 70 ? 'high' : score >= 40 ? 'medium' : 'low'
}

function readSeverity(score: number): Threat['severity'] {
  return score >= 90 ? 'critical' : score >= 70 ? 'high' : score >= 40 ? 'medium' : 'low'
}

function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'project'
  )
}
