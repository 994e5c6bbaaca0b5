import { describe, expect, it } from 'vitest'
import type { ThreatDocument } from '../../../engine/review/threats/assess.ts'
import { drawHtml } from '../../../engine/review/threats/draw-html.ts'
import { drawMermaid } from '../../../engine/review/threats/draw-mermaid.ts'
import { exportThreats } from '../../../engine/review/threats/export.ts'
import { importThreats } from '../../../engine/review/threats/import.ts'
import { refusal } from '../../made/call.ts'
import { threatDocument } from './document.ts'

const HOSTILE = '</svg><script>alert(1)</script>"] --> x["\u202e'

/** The document without what users have noted. */
const fresh = (document: ThreatDocument): ThreatDocument => ({
  ...document,
  threats: document.threats.map(({ mitigation_note: _note, mitigated_at: _at, ...threat }) => ({
    ...threat,
    status: 'pending',
  })),
})

describe.each(['threat-dragon', 'otm'] as const)('%s', format => {
  it('brings a mitigation and its note back', () => {
    const document = threatDocument()
    const { document: read, ...counts } = importThreats(
      exportThreats(document, format),
      'm.json',
      fresh(document),
      'now',
      'kim',
    )
    expect(counts).toEqual({ format, updated: 1, added: 0, skipped: 0 })
    expect(read.threats[0]).toMatchObject({
      id: document.threats[0]!.id,
      status: 'mitigated',
      mitigation_note: 'in the proxy',
      mitigated_by: 'kim',
    })
    expect(read.threats.filter(({ status }) => status === 'mitigated')).toHaveLength(1)
  })

  it('brings all threats into a document that has none, with category, severity and element', () => {
    const document = threatDocument()
    const { document: read, added } = importThreats(
      exportThreats(document, format),
      'm.json',
      { ...document, threats: [] },
      'now',
    )
    expect(added).toBe(document.threats.length)
    const brief = (threats: ThreatDocument['threats']) =>
      threats
        .map(({ id, stride, severity, element, status }) => `${id} ${stride} ${severity} ${element} ${status}`)
        .sort()
    expect(brief(read.threats)).toEqual(brief(document.threats))
  })

  it('opens nothing that a user mitigated here', () => {
    const document = threatDocument()
    const { document: read } = importThreats(exportThreats(fresh(document), format), 'm.json', document, 'now')
    expect(read.threats[0]!.status).toBe('mitigated')
  })
})

it('a threat that another tool added is taken once', () => {
  const document = threatDocument()
  const written = JSON.parse(exportThreats(document, 'threat-dragon')) as {
    detail: { diagrams: { cells: { data: { type: string; threats: object[] } }[] }[] }
  }
  const cell = written.detail.diagrams[0]!.cells.find(({ data }) => data.type === 'tm.Process')!
  cell.data.threats.push({
    title: 'Insider',
    type: 'Repudiation',
    status: 'Open',
    severity: 'High',
    description: 'd',
    mitigation: 'm',
    threatId: 'x1',
  })
  cell.data.threats.push({
    title: 'Linking',
    type: 'Linkability',
    status: 'Open',
    severity: 'High',
    description: 'd',
    mitigation: 'm',
    threatId: 'x2',
  })
  const once = importThreats(JSON.stringify(written), 'm.json', document, 'now')
  expect(once).toMatchObject({ added: 1, skipped: 1 })
  expect(importThreats(JSON.stringify(written), 'm.json', once.document, 'now')).toMatchObject({ added: 0 })
})

it.each(['', '[]', '{"a":1}', '{"detail":'])('%j is refused as neither format', async text => {
  expect((await refusal(() => importThreats(text, 'm.json', threatDocument(), 'now'))).code).toBe('INPUT_INVALID')
})

it('a page has no script, and names of the repository stay text', () => {
  const html = drawHtml(threatDocument(HOSTILE))
  expect(html).not.toContain('<script')
  expect(html).not.toContain('\u202e')
  expect(html).not.toMatch(/(?:src|href)=/)
})

it('a Mermaid diagram has each element and flow, and labels do not end before their quotes', () => {
  const { model } = threatDocument(HOSTILE)
  const rows = drawMermaid(model).split('\n')
  expect(rows.filter(row => /^ {4}n\d+\W/.test(row))).toHaveLength(model.elements.length)
  expect(rows.filter(row => /^ {2}n\d+ (?:==>|-->)/.test(row))).toHaveLength(model.flows.length)
  for (const row of rows) expect((row.match(/"/g) ?? []).length % 2, row).toBe(0)
  expect(rows.join('\n')).not.toContain('<script')
})
