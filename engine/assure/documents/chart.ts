import { escapeHtml } from '../../base/text/visible.ts'
import type { Html } from './page.ts'

const WIDTH = 480
const HEIGHT = 160
const LEFT = 34
const RIGHT = 10
const TOP = 10
const BOTTOM = 22

/** A value at a time; null where there is none, which interrupts the line. */
export interface ChartPoint {
  /** What stands below the first and the last point. */
  label: string
  value: number | null
}

/**
 * A line chart as SVG with the axis from 0 to `most`. `title` says in words what the line shows, for those who do not see it; the same
 * figures must stand in a table or in text beside it.
 */
export function renderLineChart(points: readonly ChartPoint[], most: number, title: string): Html {
  const top = most > 0 ? most : 1
  const x = (at: number) => LEFT + (points.length > 1 ? (at * (WIDTH - LEFT - RIGHT)) / (points.length - 1) : 0)
  const y = (value: number) => TOP + (1 - Math.min(value, top) / top) * (HEIGHT - TOP - BOTTOM)
  const grid = [0, top / 2, top].map(value => {
    const at = y(value).toFixed(1)
    return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/><text x="${LEFT - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${formatTick(value)}</text>`
  })
  const lines = listRunsOfValues(points).map(
    ({ from, values }) =>
      `<polyline class="line" points="${values.map((value, at) => `${x(from + at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}"/>`,
  )
  const dots = points.map(({ value }, at) =>
    value === null ? '' : `<circle class="dot" cx="${x(at).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3"/>`,
  )
  const labels = [
    `<text x="${LEFT}" y="${HEIGHT - 5}">${escapeHtml(points[0]?.label ?? '')}</text>`,
    points.length > 1
      ? `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 5}" text-anchor="end">${escapeHtml(points.at(-1)!.label)}</text>`
      : '',
  ]
  return `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${grid.join('')}${lines.join('')}${dots.join('')}${labels.join('')}</svg>\n`
}

/** Values without a gap between them, each with the place of the first. */
function listRunsOfValues(points: readonly ChartPoint[]): { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = []
  let isOpen = false
  for (const [at, { value }] of points.entries()) {
    if (value === null) isOpen = false
    else if (isOpen) runs.at(-1)!.values.push(value)
    else {
      runs.push({ from: at, values: [value] })
      isOpen = true
    }
  }
  return runs
}

function formatTick(value: number): string {
  return value >= 1000 ? `${Math.round(value / 100) / 10}k` : String(Math.round(value * 10) / 10)
}
