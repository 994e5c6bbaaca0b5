import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('every operation refuses a field that it does not know', () => {
  const schemas = JSON.parse(
    readFileSync(new URL('../../engine/door/schemas.gen.json', import.meta.url), 'utf8'),
  ) as Record<string, { input: { additionalProperties?: unknown } }>
  const lax = Object.entries(schemas).filter(([, { input }]) => input.additionalProperties !== false)
  expect(lax.map(([id]) => id)).toEqual([])
})
