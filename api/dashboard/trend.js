import { element, svg } from './dom.js'
import { count, counted, SEVERITIES, when } from './format.js'

const HEIGHT = 210
const LEFT = 46
const BOTTOM = 24
const TOP = 10

/** A column for each run, its severities stacked, worst at the foot; choosing one shows that run. */
export function trend(all, shown, choose) {
  // The drawing is scaled to the page; where that is narrow it is made narrow, so that its words stay readable.
  const narrow = matchMedia('(max-width: 820px)').matches
  const WIDTH = narrow ? 480 : 1000
  const points = narrow ? all.slice(-14) : all
  if (points.length === 0) return element('p', { className: 'soft' }, 'No run can be drawn.')
  const most = niceAbove(Math.max(1, ...points.map(({ open }) => open)))
  const height = HEIGHT - TOP - BOTTOM
  const y = value => TOP + height - (value / most) * height
  const step = (WIDTH - LEFT - 6) / Math.max(points.length, 12)
  const wide = Math.min(44, step * 0.72)
  const about = element('p', { className: 'soft about', 'aria-live': 'polite' })
  const show = point => about.replaceChildren(...describe(point))
  const columns = points.map((point, at) => {
    const x = LEFT + 6 + at * step + (step - wide) / 2
    const describeIt = () => show(point)
    return svg(
      'g',
      {
        class: point.run_id === shown ? 'column shown' : 'column',
        role: 'button',
        tabindex: 0,
        'aria-label': `${when(point.started_at)}: ${counted(point.open, 'open finding')}`,
        'aria-pressed': point.run_id === shown,
        onclick: () => choose(point.run_id),
        onkeydown: event => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          choose(point.run_id)
        },
        onpointerenter: describeIt,
        onfocus: describeIt,
      },
      svg('rect', { class: 'hit', x: LEFT + 6 + at * step, y: TOP, width: step, height: height + BOTTOM }),
      stack(point, x, wide, y),
    )
  })
  const lines = [0, most / 2, most].map(value =>
    svg(
      'g',
      { class: 'grid' },
      svg('line', { x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }),
      svg('text', { x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end' }, count(value)),
    ),
  )
  const ends = [
    svg('text', { class: 'end', x: LEFT + 6, y: HEIGHT - 5 }, day(points[0])),
    points.length > 1 &&
      svg(
        'text',
        { class: 'end', x: LEFT + 6 + points.length * step, y: HEIGHT - 5, 'text-anchor': 'end' },
        day(points.at(-1)),
      ),
  ]
  show(points.find(({ run_id }) => run_id === shown) ?? points.at(-1))
  return element(
    'div',
    { className: 'trend' },
    svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'group', 'aria-label': 'Runs, oldest first' },
      lines,
      columns,
      ends.filter(Boolean),
    ),
    about,
  )
}

function stack(point, x, width, y) {
  let below = 0
  const parts = []
  for (const severity of SEVERITIES) {
    const n = point[severity]
    if (n === 0) continue
    const foot = y(below)
    below += n
    parts.push(svg('rect', { class: severity, x, width, y: y(below), height: Math.max(1, foot - y(below)) }))
  }
  // A run without findings still stands there; one that evaluated nothing has no score, which is no good news.
  return parts.length > 0
    ? parts
    : [
        svg('rect', {
          class: point.score === undefined ? 'unknown' : 'none',
          x,
          width,
          y: y(0) - 3,
          height: 3,
          rx: 1.5,
        }),
      ]
}

function describe(point) {
  const parts = [
    element('b', {}, when(point.started_at)),
    counted(point.open, 'open finding'),
    ...SEVERITIES.filter(severity => point[severity] > 0).map(severity =>
      element('span', { className: `badge ${severity}` }, `${count(point[severity])} ${severity}`),
    ),
    point.introduced > 0 && element('span', { className: 'bad' }, `+${count(point.introduced)} new`),
    point.resolved > 0 && element('span', { className: 'good' }, `−${count(point.resolved)} resolved`),
    point.rating !== undefined && `rating ${point.rating}`,
    [point.branch, point.git_sha?.slice(0, 8)].filter(Boolean).join(' '),
    point.scope !== 'everything' && point.scope,
  ]
  return parts.filter(Boolean).map(part => element('span', {}, part))
}

function day({ started_at }) {
  return when(started_at).replace(/,? \d{1,2}:.*$/, '')
}

/** The next even number of the kind 2, 4, 10, 20, 40, 100: half of it is a label too. */
function niceAbove(value) {
  for (let unit = 1; ; unit *= 10) for (const step of [2, 4, 10]) if (value <= step * unit) return step * unit
}
