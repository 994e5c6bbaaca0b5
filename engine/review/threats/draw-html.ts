import { escapeHtml } from '../../base/text/visible.ts'
import type { ThreatDocument } from './assess.ts'
import { type DataFlowModel, type ModelElement, type Threat, ZONES, type Zone } from './model.ts'

const [WIDTH, HEIGHT, GAP_X, GAP_Y, TOP] = [190, 54, 90, 26, 56]
/** Zones from the left to the right; those of one column stand under one another. */
const COLUMNS: readonly (readonly Zone[])[] = [
  ['internet', 'operator'],
  ['browser'],
  ['application'],
  ['host', 'data', 'third_party'],
]

/** The threat model as one page without scripts and outside resources: diagram, elements, threats. */
export function drawHtml({ model, threats, generated_at, llm, run_id }: ThreatDocument): string {
  const pending = threats.filter(({ status }) => status === 'pending').length
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Threat model: ${escapeHtml(model.name)}</title><style>${STYLE}</style></head><body>
<h1>Threat model: ${escapeHtml(model.name)}</h1>
<p>${escapeHtml(generated_at)} · ${model.elements.length} elements, ${model.flows.length} flows, ${threats.length} threats, ${pending} pending.
${run_id === null ? 'Findings: not evaluated, no scan was made.' : `Findings of run ${escapeHtml(run_id)}.`}
LLM part: ${llm.state === 'evaluated' ? 'evaluated' : 'not evaluated'}${llm.reason ? ` (${escapeHtml(llm.reason)})` : ''}.</p>
<h2>Data-flow diagram</h2><div class="scroll">${drawDiagram(model)}</div>
<h2>Elements</h2><table><thead><tr><th>Element</th><th>Kind</th><th>Zone</th><th>Entry points</th><th>Locations</th></tr></thead><tbody>
${model.elements.map(elementRow).join('\n')}
</tbody></table>
<h2>Threats</h2><table><thead><tr><th>Id</th><th>Severity</th><th>Likelihood</th><th>STRIDE</th><th>Threat</th><th>Status</th></tr></thead><tbody>
${threats.map(threatRow).join('\n')}
</tbody></table></body></html>
`
}

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1200px;padding:0 1rem;color:#1b1f24;background:#fff}
table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #d0d7de;padding:.4rem .6rem;text-align:left;vertical-align:top}
.scroll{overflow-x:auto}.critical,.high{color:#a40e26;font-weight:600}.medium{color:#7d4e00}.quiet{color:#57606a}code{font-size:.9em}
svg text{font:12px system-ui,sans-serif;fill:#1b1f24}svg .zone{font-weight:600;fill:#57606a}`

function elementRow({ name, kind, zone, entry_points, places }: ModelElement): string {
  const entries = entry_points.slice(0, 12).map(({ method, path }) => `<code>${escapeHtml(`${method} ${path}`)}</code>`)
  const more = entry_points.length > 12 ? ` and ${entry_points.length - 12} more` : ''
  return `<tr><td>${escapeHtml(name)}</td><td>${kind}</td><td>${ZONES[zone]}</td><td>${entries.join(' ')}${more}</td><td>${listPlaces(places)}</td></tr>`
}

function threatRow(threat: Threat): string {
  const {
    id,
    severity,
    likelihood,
    stride,
    title,
    attack_vector,
    impact,
    mitigation,
    status,
    mitigation_note,
    places,
    findings,
    controls_seen,
  } = threat
  const notes = [
    `<p>${escapeHtml(attack_vector)} ${escapeHtml(impact)}</p><p>Mitigation: ${escapeHtml(mitigation)}</p>`,
    ...(controls_seen.length > 0
      ? [
          `<p class="quiet">Seen: ${controls_seen.map(({ what }) => escapeHtml(what)).join(', ')}. Check that it holds here.</p>`,
        ]
      : []),
    ...(findings.length > 0 ? [`<p>${findings.length} open findings.</p>`] : []),
  ]
  const note = mitigation_note === undefined ? '' : `<br>${escapeHtml(mitigation_note)}`
  return `<tr><td><code>${escapeHtml(id)}</code></td><td class="${severity}">${severity}</td><td>${likelihood}</td><td>${stride.replaceAll('_', ' ')}</td><td><strong>${escapeHtml(title)}</strong>${notes.join('')}${listPlaces(places)}</td><td>${status}${note}</td></tr>`
}

function listPlaces(places: readonly { file: string; line: number }[]): string {
  const shown = places.slice(0, 4).map(({ file, line }) => `<code>${escapeHtml(`${file}:${line}`)}</code>`)
  return `<span class="quiet">${shown.join(' ')}${places.length > 4 ? ` and ${places.length - 4} more` : ''}</span>`
}

/** The diagram in columns by trust zone. */
function drawDiagram({ elements, flows }: DataFlowModel): string {
  const { places, rows } = layOut(elements)
  const height = TOP + rows * (HEIGHT + GAP_Y)
  const width = COLUMNS.length * (WIDTH + GAP_X)
  const parts = COLUMNS.flatMap((zones, column) => {
    const names = zones.filter(zone => elements.some(element => element.zone === zone)).map(zone => ZONES[zone])
    if (names.length === 0) return []
    const x = column * (WIDTH + GAP_X) + 10
    return [
      `<text class="zone" x="${x}" y="18">${names.join(', ')}</text>`,
      ...(column > 0 ? [`<path d="M${x - GAP_X / 2} 26V${height}" stroke="#a40e26" stroke-dasharray="6 5"/>`] : []),
    ]
  })
  for (const { from, to, crosses } of flows) {
    const [a, b] = [places.get(from), places.get(to)]
    if (!a || !b) continue
    const [x1, y1, x2, y2] = [
      a.x + (b.x > a.x ? WIDTH : b.x < a.x ? 0 : WIDTH / 2),
      a.y + HEIGHT / 2,
      b.x + (b.x > a.x ? 0 : b.x < a.x ? WIDTH : WIDTH / 2),
      b.y + HEIGHT / 2,
    ]
    parts.push(
      `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#57606a" stroke-width="${crosses ? 1.6 : 1}" marker-end="url(#a)" fill="none"/>`,
    )
  }
  for (const { id, kind, name } of elements) {
    const { x, y } = places.get(id)!
    const radius = kind === 'process' ? HEIGHT / 2 : kind === 'store' || kind === 'queue' ? 0 : 6
    parts.push(
      `<rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="${radius}" fill="#f6f8fa" stroke="#57606a"${kind === 'store' ? ' stroke-width="2.5"' : ''}/><text x="${x + WIDTH / 2}" y="${y + HEIGHT / 2 + 4}" text-anchor="middle">${escapeHtml(name.length > 28 ? `${name.slice(0, 27)}…` : name)}</text>`,
    )
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Data-flow diagram"><defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#57606a"/></marker></defs>${parts.join('')}</svg>`
}

/** Where each element stands; columns by zone, in the order of the model. */
export function layOut(elements: readonly ModelElement[]): {
  places: Map<string, { x: number; y: number }>
  rows: number
} {
  const places = new Map<string, { x: number; y: number }>()
  const counts = COLUMNS.map(() => 0)
  for (const zone of COLUMNS.flat())
    for (const { id, zone: own } of elements) {
      if (own !== zone) continue
      const column = COLUMNS.findIndex(zones => zones.includes(zone))
      places.set(id, { x: column * (WIDTH + GAP_X) + 10, y: TOP - 22 + counts[column]! * (HEIGHT + GAP_Y) })
      counts[column]! += 1
    }
  return { places, rows: Math.max(1, ...counts) }
}

/** The size of an element in the diagram. */
export const ELEMENT_SIZE = { width: WIDTH, height: HEIGHT }
