import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from '../../scripts/contract.ts'

describe('the REST API', () => {
  it('is the document that the snapshot records; npm run generate records a change for review', () => {
    expect(CONTRACTS.openapi()).toBe(readFileSync(new URL('./openapi.snap.json', import.meta.url), 'utf8'))
  })
})
