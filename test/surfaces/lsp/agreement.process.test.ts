import { expect, it } from 'vitest'
import { runSession } from '../../../bench/lsp-session.ts'

it('diagnostics of edited text equal the findings of a scan of the same text', { timeout: 120_000 }, async () => {
  const { differences, compared, diagnostics, edits } = await runSession({ files: 5, lines: 80, rounds: 3, seed: 11 })
  expect(differences).toEqual([])
  expect([edits, compared]).toEqual([15, 15])
  // Where nothing is found, nothing is compared.
  expect(diagnostics).toBeGreaterThan(5)
})
