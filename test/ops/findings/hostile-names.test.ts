import { expect, test } from 'vitest'
import type { View } from '../../../engine/base/text/view.ts'
import summary from '../../../engine/ops/findings/summary.ts'
import blastCheck from '../../../engine/ops/governance/blast-check.ts'
import taskScope from '../../../engine/ops/governance/task-scope.ts'
import suggestExcludes from '../../../engine/ops/repository/suggest-excludes.ts'
import { formatSecrets } from '../../../engine/secrets/text.ts'

const view: View = { verbose: true, quiet: false, width: 80, paint: (_style, text) => text }
/** A name that would be a line of its own to a build server, and paint the terminal. */
const NAME = 'a\n::error::gone\u001b[31m.js'

const shown = {
  summary: () =>
    summary.text!(
      {
        run_id: 'r',
        started_at: 't',
        scope: 'everything',
        files_scanned: 1,
        files_skipped: 0,
        rules_not_evaluated: 0,
        open: 1,
        rules: [],
        files: [{ file: NAME, count: 1, worst: 'high' }],
        controls: [],
        by_severity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
      } as unknown as Parameters<NonNullable<typeof summary.text>>[0],
      view,
    ),
  'suggest-excludes': () =>
    suggestExcludes.text!(
      {
        suggestions: [
          {
            path: NAME,
            kind: 'vendored',
            files: 1,
            bytes: 1,
            evidence: [{ file: NAME, what: 'w' }],
            already_left_out: false,
          },
        ],
        command: 'c',
        files: 1,
        bytes: 1,
        files_scanned: 1,
      } as Parameters<NonNullable<typeof suggestExcludes.text>>[0],
      view,
    ),
  'blast-check': () =>
    blastCheck.text!(
      {
        checked: 1,
        enabled: true,
        touched: [{ path: NAME, zones: [], enforcement: 'block', protected: true }],
      } as unknown as Parameters<NonNullable<typeof blastCheck.text>>[0],
      view,
    ),
  'task-scope': () =>
    taskScope.text!({ session_id: null, in_scope: true, paths: [{ path: NAME, in_scope: true, zones: [] }] }, view),
  secrets: () =>
    formatSecrets(
      {
        scope: 'everything',
        secrets: [],
        open: 0,
        files: 1,
        not_evaluated: [],
        partly: [],
        unread: [],
        skipped: [{ path: NAME, reason: 'archive_part' }],
        notices: [{ file: NAME, detail: 'd' }],
      } as unknown as Parameters<typeof formatSecrets>[0],
      view,
    ),
}

test.each(Object.entries(shown))('%s shows the name of a file on one line, whatever it is', (_, text) => {
  expect(text()).toContain('a\\n::error::gone\\x1b[31m.js')
  expect(text()).not.toContain(NAME)
})
