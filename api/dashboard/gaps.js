import { get } from './api.js'
import { element, table } from './dom.js'
import { breakable } from './finding.js'
import { count, words } from './format.js'

/** What a run says nothing about: files that were skipped, rules that were not evaluated, suppressions that no longer hold. */
export async function gaps({ run, signal }) {
  const detail = await get(`/api/audit/runs/${encodeURIComponent(run.id)}`, { limit: 2000 }, signal)
  return element(
    'div',
    { className: 'gaps' },
    element('h1', { className: 'visually-hidden' }, 'Gaps'),
    skipped(detail, run.counts.skipped),
    section(
      'Rules that were not evaluated',
      detail.not_evaluated,
      detail.not_evaluated_total,
      ['Rule', 'File', 'Reason', 'Detail'],
      ({ rule_id, file, reason, detail: more }) => [
        element('code', {}, rule_id),
        file ? element('code', {}, breakable(file)) : 'every file',
        words(reason),
        more ?? '',
      ],
      'Every rule was evaluated on every file it is for.',
    ),
    section(
      'Suppressions without effect',
      detail.notices,
      detail.notices.length,
      ['Where', 'What', 'Detail'],
      ({ file, line, kind, detail: more }) => [
        element('code', {}, breakable(file), line && `:${line}`),
        words(kind.replace('suppression_', '')),
        more,
      ],
      'Every suppression is in effect.',
    ),
  )
}

/** By reason, the rarest first: among many pictures one file that could not be read would not be seen. */
function skipped({ skipped: listed, skipped_total }, counts) {
  const reasons = Object.entries(counts).sort(([, a], [, b]) => a - b)
  return element(
    'section',
    { 'aria-labelledby': 'skipped' },
    element(
      'h2',
      { id: 'skipped' },
      'Files not scanned',
      skipped_total > 0 && element('span', { className: 'tag' }, count(skipped_total)),
    ),
    skipped_total === 0 && element('p', { className: 'good' }, 'Every file was read.'),
    reasons.map(([reason, n]) => {
      const files = listed.filter(file => file.reason === reason)
      return element(
        'details',
        { className: 'panel reason', open: n <= 10 },
        element('summary', {}, element('b', {}, words(reason)), element('span', { className: 'tag' }, count(n))),
        element(
          'ul',
          {},
          files.map(({ path, detail }) =>
            element(
              'li',
              {},
              element('code', {}, breakable(path)),
              detail && element('span', { className: 'soft' }, detail),
            ),
          ),
        ),
        files.length < n &&
          element(
            'p',
            { className: 'soft' },
            `The first ${count(files.length)} are shown; the run.json of the run has all.`,
          ),
      )
    }),
  )
}

function section(title, entries, total, columns, cells, nothing) {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return element(
    'section',
    { 'aria-labelledby': id },
    element('h2', { id }, title, total > 0 && element('span', { className: 'tag' }, count(total))),
    total === 0
      ? element('p', { className: 'good' }, nothing)
      : table(
          columns,
          entries.map(entry =>
            element(
              'tr',
              {},
              cells(entry).map(cell => element('td', {}, cell)),
            ),
          ),
        ),
    entries.length < total &&
      element(
        'p',
        { className: 'soft' },
        `The first ${count(entries.length)} are shown; the run.json of the run has all.`,
      ),
  )
}
