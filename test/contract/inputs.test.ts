import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../root.ts'

it('every operation refuses a field that it does not know', () => {
  const schemas = JSON.parse(readFileSync(join(ROOT, 'engine/door/schemas.gen.json'), 'utf8')) as Record<
    string,
    { input: { additionalProperties?: unknown } }
  >
  const lax = Object.entries(schemas).filter(([, { input }]) => input.additionalProperties !== false)
  expect(lax.map(([id]) => id)).toEqual([])
})
