import { describe, expect, test } from 'vitest'
import { EngineError } from '../../engine/base/errors.ts'
import { check, type JsonSchema } from '../../engine/base/json-schema.ts'

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'a name' },
    level: { anyOf: [{ const: 'low' }, { const: 'high' }], description: 'low or high' },
    count: { type: 'integer', default: 3 },
  },
  required: ['name'],
  additionalProperties: false,
}

function faults(input: unknown): string[] {
  try {
    check(SCHEMA, input)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'INPUT_INVALID')
      return error.faults.map(({ message }) => message)
    throw error
  }
  return []
}

describe('checking an input', () => {
  test('fills in the defaults and changes nothing that was given', () => {
    const input = { name: 'a' }
    expect(check(SCHEMA, input)).toEqual({ name: 'a', count: 3 })
    expect(input).toEqual({ name: 'a' })
  })

  test('names every fault once, with what the field must be', () => {
    expect(faults({ level: 'middle', cuont: 1 }).sort()).toEqual([
      'cuont is not a known field; did you mean count?',
      'level must be low or high, but was "middle".',
      'name is missing: it must be a name.',
    ])
  })

  test.each(['constructor', '__proto__', 'toString'])(
    'refuses %s, which every object has, as an unknown field',
    key => {
      const input = JSON.parse(`{"name": "a", ${JSON.stringify(key)}: {"count": 1}}`)
      expect(faults(input)).toEqual([`${key} is not a known field. Known: name, level, count.`])
    },
  )

  test('refuses a field whose name is half a character', () => {
    expect(faults({ name: 'a', '\ud800': 1 })).toEqual(['A field has a name that is not valid Unicode.'])
  })
})
