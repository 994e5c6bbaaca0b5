import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from '../../scripts/contract.ts'

describe('the MCP tools', () => {
  it('are the list that the snapshot records; npm run generate records a change for review', () => {
    expect(CONTRACTS.tools()).toBe(readFileSync(new URL('./tools.snap.json', import.meta.url), 'utf8'))
  })

  it('describe every field that a model has to fill', () => {
    for (const { name, description, inputSchema } of JSON.parse(CONTRACTS.tools())) {
      expect(description, name).toMatch(/\.$/)
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
        expect(schema, `${name}.${field}`).toHaveProperty('description')
      }
    }
  })
})
