import { get } from './api.js'
import { element } from './dom.js'
import { card } from './finding.js'
import { ago, bytes, count, counted, duration, RATINGS, rated, SEVERITIES, when, words } from './format.js'
import { runBefore } from './state.js'
import { trend } from './trend.js'

/** How the repository stands: rating, severities, the way it came, where the worst is, and what was not looked at. */
export async function overview({ run, signal, go }) {
  const id = run.id
  const [detail, history, worst] = await Promise.all([
    get(`/api/audit/runs/${encodeURIComponent(id)}`, { limit: 1 }, signal),
    get('/api/trends', { limit: 40 }, signal),
    get('/api/findings', { run_id: id, status: 'open', sort: 'severity', limit: 5 }, signal),
  ])
  return element(
    'div',
    { className: 'overview' },
    posture(run, go),
    element(
      'section',
      { className: 'panel wide', 'aria-labelledby': 'trend-title' },
      element('h2', { id: 'trend-title' }, 'Open findings by run'),
      trend(history.points, id, chosen => go('overview', { run: chosen })),
    ),
    element(
      'section',
      { className: 'panel wide', 'aria-labelledby': 'worst-title' },
      heading(
        'worst-title',
        'Worst first',
        worst.total > 5 && { href: `#findings?run=${id}`, text: `All ${count(worst.total)}` },
      ),
      worst.findings.length > 0
        ? element('div', { className: 'cards' }, worst.findings.map(card))
        : element(
            'p',
            { className: evaluated(run) ? 'good' : 'bad' },
            evaluated(run) ? 'No open finding.' : 'Unknown: no rule was evaluated.',
          ),
    ),
    ranking('By rule', detail.summary.rules, ({ rule_id, title, severity, count: n }) => ({
      label: title,
      hint: rule_id,
      severity,
      n,
      open: () => go('findings', { rule: rule_id, run: id }),
    })),
    ranking('By file', detail.summary.files, ({ file, worst: severity, count: n }) => ({
      label: file,
      mono: true,
      severity,
      n,
      open: () => go('findings', { file, run: id }),
    })),
    notSeen(run, detail),
  )
}

function heading(id, text, link) {
  return element(
    'div',
    { className: 'heading' },
    element('h2', { id }, text),
    link && element('a', { href: link.href }, link.text),
  )
}

function posture(run, go) {
  const { by_severity, open, suppressed, baseline } = run.counts
  const before = runBefore(run)
  return element(
    'section',
    { className: 'posture', 'aria-label': 'Posture' },
    element(
      'div',
      { className: 'rating' },
      element('p', { className: `value ${rated(run.rating)}` }, run.rating ?? '–'),
      element('p', { className: 'soft' }, run.rating ? RATINGS[run.rating] : 'not rated'),
      run.rating !== undefined && before?.rating !== undefined && change(run.rating, before.rating),
    ),
    element(
      'div',
      { className: 'standing' },
      element('h1', {}, headline(run), before && comparison(open - before.counts.open)),
      open > 0 &&
        element(
          'div',
          { className: 'stack', 'aria-hidden': true },
          SEVERITIES.map(
            severity =>
              by_severity[severity] > 0 && weighted(element('i', { className: severity }), by_severity[severity]),
          ),
        ),
      element(
        'ul',
        { className: 'severities' },
        SEVERITIES.map(severity =>
          element(
            'li',
            {},
            element(
              'button',
              { type: 'button', className: severity, onclick: () => go('findings', { severity, run: run.id }) },
              element('b', {}, count(by_severity[severity])),
              ` ${severity}`,
            ),
          ),
        ),
      ),
      element('p', { className: 'soft facts' }, facts(run, suppressed, baseline)),
      run.gate &&
        element(
          'p',
          { className: run.gate.passed ? 'gate passed' : 'gate failed' },
          element('b', {}, run.gate.passed ? 'Gate passed' : 'Gate failed'),
          ` ${run.gate.reasons.join('; ')}`,
        ),
    ),
  )
}

/** Whether the run says anything at all: without a rule, no finding is no good news. */
function evaluated(run) {
  return run.counts.rules > 0
}

function headline(run) {
  if (!evaluated(run)) return 'No rule was evaluated'
  return run.counts.open === 0 ? 'No open findings' : counted(run.counts.open, 'open finding')
}

/** A share of the stack; the style attribute is set through the object model, which the page's policy allows. */
function weighted(part, weight) {
  part.style.flexGrow = weight
  return part
}

function change(rating, before) {
  if (rating === before) return element('p', { className: 'soft' }, 'as before')
  return element('p', { className: rating < before ? 'good' : 'bad' }, `${before} in the run before`)
}

function comparison(difference) {
  if (difference === 0) return ''
  return element(
    'small',
    { className: difference < 0 ? 'good' : 'bad' },
    `${count(Math.abs(difference))} ${difference < 0 ? 'fewer' : 'more'} than the run before`,
  )
}

function facts(run, suppressed, baseline) {
  const { files, bytes: size, lines, rules } = run.counts
  const parts = [
    element('span', { title: when(run.started_at) }, `Scanned ${ago(run.started_at)} in ${duration(run.duration_ms)}`),
    `${counted(files, 'file')}, ${counted(lines, 'line')}, ${bytes(size)}`,
    counted(rules, 'rule'),
    run.scope !== 'everything' && `only ${run.scope}`,
    run.branch && element('span', {}, run.branch, run.git_sha && element('code', {}, ` ${run.git_sha.slice(0, 8)}`)),
    suppressed > 0 && `${count(suppressed)} suppressed`,
    baseline > 0 && `${count(baseline)} in the baseline`,
  ].filter(Boolean)
  return parts.map(part => element('span', {}, part))
}

function ranking(title, entries, row) {
  const id = title.toLowerCase().replace(' ', '-')
  const most = Math.max(1, ...entries.map(entry => entry.count))
  return element(
    'section',
    { className: 'panel ranking', 'aria-labelledby': id },
    element('h2', { id }, title),
    entries.length === 0 && element('p', { className: 'soft' }, 'None.'),
    element(
      'ol',
      {},
      entries.slice(0, 8).map(entry => {
        const { label, hint, mono, severity, n, open } = row(entry)
        const bar = element('i', { className: severity, 'aria-hidden': true })
        bar.style.width = `${Math.max(2, (100 * n) / most)}%`
        return element(
          'li',
          {},
          element(
            'button',
            { type: 'button', onclick: open, title: hint ?? label },
            element('span', { className: mono ? 'label mono' : 'label' }, label),
            element('b', {}, count(n)),
            bar,
          ),
        )
      }),
    ),
  )
}

function notSeen(run, { not_evaluated_total, skipped_total, notices }) {
  const reasons = Object.entries(run.counts.skipped).sort(([, a], [, b]) => b - a)
  const nothing = evaluated(run) && skipped_total + not_evaluated_total + notices.length === 0
  return element(
    'section',
    { className: 'panel wide seen', 'aria-labelledby': 'seen-title' },
    heading('seen-title', 'Not scanned', !nothing && { href: `#gaps?run=${run.id}`, text: 'All gaps' }),
    nothing
      ? element('p', { className: 'good' }, 'Every file was read and every rule evaluated.')
      : element(
          'p',
          {},
          !evaluated(run) && element('span', {}, 'No rule was evaluated. '),
          skipped_total > 0 &&
            element(
              'span',
              {},
              `${counted(skipped_total, 'file')} skipped (${reasons.map(([reason, n]) => `${count(n)} ${words(reason)}`).join(', ')}). `,
            ),
          not_evaluated_total > 0 &&
            element(
              'span',
              {},
              `${counted(not_evaluated_total, 'rule evaluation')} did not happen; that is not a pass. `,
            ),
          notices.length > 0 && element('span', {}, 'Some suppressions have no effect any more.'),
        ),
    element('p', { className: 'soft' }, run.packs_reason),
  )
}
