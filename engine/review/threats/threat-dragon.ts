import { createHash } from 'node:crypto'
import { isObject } from '../../base/text/json-object.ts'
import type { ThreatDocument } from './assess.ts'
import { ELEMENT_SIZE, layOut } from './draw-html.ts'
import type { ImportedThreat } from './import.ts'
import { type DataFlowModel, type Flow, type ModelElement, STRIDE, type Stride, type Threat, ZONES } from './model.ts'
import { listObjects } from './open-threat-model.ts'

/** The version of Threat Dragon whose format is written. */
const VERSION = '2.3.0'
const TYPES: Record<Stride, string> = {
  ...{
    spoofing: 'Spoofing',
    tampering: 'Tampering',
    repudiation: 'Repudiation',
    information_disclosure: 'Information disclosure',
  },
  ...{ denial_of_service: 'Denial of service', elevation_of_privilege: 'Elevation of privilege' },
}
const SHAPES: Record<ModelElement['kind'], readonly [shape: string, type: string]> = {
  ...{
    actor: ['actor', 'tm.Actor'],
    process: ['process', 'tm.Process'],
    store: ['store', 'tm.Store'],
    queue: ['store', 'tm.Store'],
  },
  service: ['actor', 'tm.Actor'],
}

/** The threat model as OWASP Threat Dragon 2: one STRIDE diagram. */
export function writeThreatDragon({ model, threats }: ThreatDocument): unknown {
  const numbers = new Map(threats.map(({ id }, index) => [id, index + 1]))
  const at = (id: string) => threats.filter(({ element }) => element === id)
  const { places } = layOut(model.elements)
  const cells = [
    ...boundaries(model, places),
    ...model.elements.map(element => elementCell(element, places.get(element.id)!, at(element.id), numbers)),
    ...model.flows.map(flow => flowCell(flow, at(flow.id), numbers)),
  ]
  return {
    version: VERSION,
    summary: { title: model.name, owner: '', description: 'Data-flow model and STRIDE threats by svc.', id: 0 },
    detail: {
      contributors: [],
      diagrams: [
        {
          ...{ id: 0, title: 'Data flows', diagramType: 'STRIDE', placeholder: 'STRIDE diagram', version: VERSION },
          ...{ thumbnail: './public/content/images/thumbnail.stride.jpg', description: '', cells },
        },
      ],
      ...{ diagramTop: 1, reviewer: '', threatTop: threats.length },
    },
  }
}

function elementCell(
  element: ModelElement,
  position: { x: number; y: number },
  threats: readonly Threat[],
  numbers: ReadonlyMap<string, number>,
) {
  const { id, kind, name, zone, facts, places } = element
  const [shape, type] = SHAPES[kind]
  const own = {
    ...(kind === 'process' && {
      isWebApplication: facts.includes('http'),
      privilegeLevel: '',
      handlesCardPayment: false,
      handlesGoodsOrServices: false,
    }),
    ...(type === 'tm.Store' && {
      isALog: false,
      isEncrypted: false,
      isSigned: false,
      storesCredentials: false,
      storesInventory: false,
    }),
    ...(type === 'tm.Actor' && { providesAuthentication: facts.includes('auth') }),
  }
  return {
    ...{ id: makeUuid(id), shape, zIndex: 1, visible: true, position, size: { ...ELEMENT_SIZE } },
    attrs: { text: { text: name }, body: stroke(threats, 1.5, null) },
    data: {
      ...{ type, name, description: describe(id, zone, places), outOfScope: false, reasonOutOfScope: '' },
      ...{ hasOpenThreats: isOpen(threats), threats: threats.map(threat => writeThreat(threat, numbers)) },
      ...own,
    },
  }
}

function flowCell(
  { id, from, to, label, facts }: Flow,
  threats: readonly Threat[],
  numbers: ReadonlyMap<string, number>,
) {
  return {
    ...{ id: makeUuid(id), shape: 'flow', zIndex: 10, visible: true, connector: 'smooth' },
    ...{ source: { cell: makeUuid(from) }, target: { cell: makeUuid(to) }, vertices: [], labels: [label] },
    attrs: { line: { ...stroke(threats, 1.5, ''), targetMarker: { name: 'block' }, sourceMarker: { name: '' } } },
    data: {
      ...{ type: 'tm.Flow', name: label, description: `svc element ${id}`, outOfScope: false, reasonOutOfScope: '' },
      ...{
        protocol: facts.includes('http') ? 'HTTP' : '',
        isBidirectional: false,
        isEncrypted: false,
        isPublicNetwork: facts.includes('http'),
      },
      ...{ hasOpenThreats: isOpen(threats), threats: threats.map(threat => writeThreat(threat, numbers)) },
    },
  }
}

/** A box around the elements of each zone. */
function boundaries({ elements, zones }: DataFlowModel, places: ReadonlyMap<string, { x: number; y: number }>) {
  return zones.map(zone => {
    const own = elements.filter(element => element.zone === zone).map(({ id }) => places.get(id)!)
    const [left, top] = [Math.min(...own.map(({ x }) => x)) - 15, Math.min(...own.map(({ y }) => y)) - 12]
    const size = {
      width: ELEMENT_SIZE.width + 30,
      height: Math.max(...own.map(({ y }) => y)) + ELEMENT_SIZE.height + 12 - top,
    }
    return {
      ...{
        id: makeUuid(`zone ${zone}`),
        shape: 'trust-boundary-box',
        zIndex: -1,
        visible: true,
        position: { x: left, y: top },
        size,
      },
      attrs: { label: { text: ZONES[zone] }, body: { stroke: '#333333', strokeWidth: 1.5, strokeDasharray: '5 5' } },
      data: {
        type: 'tm.BoundaryBox',
        name: ZONES[zone],
        description: '',
        isTrustBoundary: true,
        hasOpenThreats: false,
      },
    }
  })
}

function writeThreat(threat: Threat, numbers: ReadonlyMap<string, number>) {
  const { id, title, stride, severity, status, description, attack_vector, impact, mitigation, mitigation_note } =
    threat
  return {
    ...{
      id: makeUuid(id),
      threatId: makeUuid(id),
      title: `${id}: ${title}`,
      type: TYPES[stride],
      modelType: 'STRIDE',
      number: numbers.get(id) ?? 0,
    },
    ...{
      severity: severity[0]!.toUpperCase() + severity.slice(1),
      status: status === 'mitigated' ? 'Mitigated' : 'Open',
      score: '',
    },
    description: `${description} ${attack_vector} ${impact}`,
    mitigation: mitigation_note === undefined ? mitigation : `${mitigation}\nNote: ${mitigation_note}`,
  }
}

/** The threats of a Threat Dragon model; elements are those that svc wrote, or cells by their ids. */
export function readThreatDragon(document: Record<string, unknown>): ImportedThreat[] {
  const detail = isObject(document.detail) ? document.detail : {}
  return listObjects(detail.diagrams).flatMap(diagram =>
    listObjects(diagram.cells).flatMap(cell => {
      const data = isObject(cell.data) ? cell.data : {}
      const element = /svc element (\S{1,300})/.exec(String(data.description ?? ''))?.[1] ?? String(cell.id)
      const component = String(data.name ?? cell.id)
      // Older files have the threats beside the data.
      return [...listObjects(data.threats), ...listObjects(cell.threats)].map(threat =>
        readOne(threat, element, component),
      )
    }),
  )
}

function readOne(threat: Record<string, unknown>, element: string, component: string): ImportedThreat {
  const [, id, title] = /^(TM-[0-9a-f]{10}): (.*)$/s.exec(String(threat.title ?? '')) ?? [
    undefined,
    undefined,
    String(threat.title ?? ''),
  ]
  const [mitigation = '', note] = String(threat.mitigation ?? '').split('\nNote: ')
  const word = String(threat.type ?? '')
    .toLowerCase()
    .replace(/\s+/g, '_')
  const severity = String(threat.severity ?? '').toLowerCase()
  return {
    ...{
      id: id ?? String(threat.threatId ?? threat.id ?? ''),
      element,
      component,
      title: title!,
      description: String(threat.description ?? ''),
    },
    ...{ stride: STRIDE.find(each => each === word), mitigation, likelihood: 'medium', cwe: [] },
    severity: severity === 'critical' || severity === 'high' || severity === 'low' ? severity : 'medium',
    status: /^(?:mitigated|eliminated)$/i.test(String(threat.status)) ? 'mitigated' : 'pending',
    ...(note !== undefined && { note }),
  }
}

function describe(id: string, zone: ModelElement['zone'], places: ModelElement['places']): string {
  const where = places.slice(0, 5).map(({ file, line }) => `${file}:${line}`)
  return `svc element ${id} in ${ZONES[zone]}.${where.length > 0 ? ` ${where.join(', ')}` : ''}`
}

function stroke(threats: readonly Threat[], strokeWidth: number, strokeDasharray: string | null) {
  // The schema wants a string, and the program reads null where there is none.
  return { stroke: isOpen(threats) ? 'red' : '#333333', strokeWidth, strokeDasharray: strokeDasharray ?? '' }
}

function isOpen(threats: readonly Threat[]): boolean {
  return threats.some(({ status }) => status === 'pending')
}

/** A UUID that stays the same for the same name (its form is that of version 8, RFC 9562). */
export function makeUuid(name: string): string {
  const hex = createHash('sha256').update(`svc threat model ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
