import { expect, test } from 'vitest'
import { formatOpen } from '../../engine/assure/controls/risk.ts'

test.each([
  [21, 0, '21 open findings'],
  [21, 4, '21 open findings, 4 of them in the baseline'],
  [21, 21, '21 open findings, in the baseline'],
  [1, 1, '1 open finding, in the baseline'],
])('%i findings that are not suppressed, %i of them in the baseline', (open, baseline, text) => {
  expect(formatOpen({ open, baseline })).toBe(text)
})
