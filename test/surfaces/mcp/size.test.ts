import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { listTools, selectRows } from '../../../mcp/tools.ts'

/** Tokens at most: tokenizers take three to five characters of JSON and English for one, so three count too many. */
function tokens(sets: string[]): number {
  const tools = listTools(selectRows(OPERATIONS, sets), loadSchemas)
  const read = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }))
  return Math.ceil(read.join('').length / 3)
}

it('what a model reads of all tools together stays under 6,000 tokens', () => {
  expect(tokens([])).toBeLessThan(6000)
})

it('the tools of governance by themselves take no more than their share of it', () => {
  expect(tokens(['governance'])).toBeLessThan(3000)
})
