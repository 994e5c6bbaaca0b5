import { expect, test } from 'vitest'
import { formatFindings } from '../../engine/scan/findings-text.ts'
import { finding } from '../sources/store/make.ts'

test('a text for an agent says place, reason and remedy of each finding', () => {
  expect(formatFindings([finding(1, { file: 'a.py', status: 'suppressed' })])).toBe(
    'a.py:3:5 high py-eval (suppressed): Whoever controls the text controls the program.\n  Fix: Use ast.literal_eval.',
  )
})

test('a text for an agent names what could not be evaluated, so that nothing found does not read as clean', () => {
  expect(formatFindings([], [{ rule_id: 'py-eval', reason: 'timed_out' }])).toBe(
    'No findings.\nNot evaluated: py-eval (timed_out).',
  )
})
