import { expect, it } from 'vitest'
import { findNearest } from '../../../engine/base/text/nearest.ts'

it('the known word within three edits is what was meant, whatever its case', () => {
  expect(findNearest('Scan_fil', ['run_scan', 'scan_file'])).toBe('scan_file')
  expect(findNearest('scan', ['scanned', 'scans'])).toBe('scans')
  expect(findNearest('zzzzzz', ['run_scan', 'scan_file'])).toBeUndefined()
})

it('two letters in the wrong order are one slip', () => {
  expect(findNearest('scna', ['sync', 'scan'])).toBe('scan')
  expect(findNearest('gaet', ['gap', 'gate'])).toBe('gate')
})

it('a word of three or four letters is meant with one slip, not with two', () => {
  expect(findNearest('foo', ['low', 'info'])).toBeUndefined()
  expect(findNearest('lwo', ['low', 'info'])).toBe('low')
  expect(findNearest('csb', ['csv', 'html'])).toBe('csv')
  expect(findNearest('chek', ['cel', 'name'])).toBeUndefined()
  expect(findNearest('chek', ['cel', 'check'])).toBe('check')
})

it('a word of a million characters is near nothing, at once', () => {
  const known = Array.from({ length: 5000 }, (_, n) => `rule-${n}`)
  const began = performance.now()
  expect(findNearest('x'.repeat(1_000_000), known)).toBeUndefined()
  expect(performance.now() - began).toBeLessThan(500)
})
