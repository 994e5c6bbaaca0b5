import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { listTools, selectRows } from '../../../mcp/tools.ts'

/**
 * Tokens of the whole answer to tools/list, with titles, schemas of answers and hints. Two public tokenizers take 4.3 characters of this JSON
 * for one (5,000 tokens in all); 3.6 leave room for others.
 */
function tokens(sets: string[]): number {
  const tools = listTools(selectRows(OPERATIONS, sets), loadSchemas)
  return Math.ceil(Buffer.byteLength(JSON.stringify({ tools })) / 3.6)
}

it('the whole list of all 26 tools stays under 6,000 tokens', () => {
  expect(listTools(OPERATIONS, loadSchemas)).toHaveLength(26)
  expect(tokens([])).toBeLessThan(6000)
})

it('the tools of governance by themselves take no more than their share of it', () => {
  expect(tokens(['governance'])).toBeLessThan(3000)
})

it('the list is the same, and in the same order, whenever it is asked for', () => {
  const list = () => JSON.stringify(listTools(OPERATIONS, loadSchemas))
  expect(list()).toBe(list())
  expect(listTools(selectRows(OPERATIONS, ['scan_file', 'run_scan']), loadSchemas)).toEqual(
    listTools(selectRows(OPERATIONS, ['run_scan', 'scan_file']), loadSchemas),
  )
})
