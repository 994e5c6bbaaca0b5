import { describe, expect, test } from 'vitest'
import { firesOn } from '../../../engine/sources/packs/examples.ts'
import { readRule } from '../../../engine/sources/packs/parse.ts'
import { findRuleNamed } from '../../../engine/sources/packs/taken-sinks.ts'

const place = (path: readonly string[]) => ({ file: 'sample.yaml', line: path.length })
const CODE = { code: 'import sys\ndef f():\n    run_it("a " + sys.argv[1])\n' }
const WHOLE = { code: 'import sys\ndef f():\n    run_it(sys.argv[1])\n' }

/** A taint rule about a function of nobody's. */
function data(id: string, sinks: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    type: 'taint',
    title: 'What comes in is run',
    message: 'It is run.',
    severity: 'high',
    languages: ['python'],
    remediation: 'Do not.',
    class: 'shell',
    sources: ['argument'],
    sinks,
    match: ['x'],
    clean: ['y'],
    ...more,
  }
}

const own = data('acme-run', [{ calls: ['run_it'], arguments: [0] }])

function made(taking: Record<string, unknown>, others: Record<string, unknown>[] = [own]) {
  const named = findRuleNamed([...others, taking].map(each => ({ data: each })))
  return readRule(taking, 'sample.yaml', 'acme', place, named)
}

describe('a sink that says of', () => {
  test('stands for those of the other rule', () => {
    expect(firesOn(made(data('acme-more', [{ of: 'acme-run' }])), CODE)).toBe(true)
  })

  test('gives each of them what stands beside it', () => {
    const rule = made(data('acme-more', [{ of: 'acme-run', needs_prefix: '^\\w' }]))
    expect([CODE, WHOLE].map(example => firesOn(rule, example))).toEqual([true, false])
  })

  test('is a fault with its place where the pack has no such rule', () => {
    expect(() => made(data('acme-more', [{ of: 'acme-none' }]))).toThrow(
      expect.objectContaining({
        faults: [
          {
            message: 'no taint rule acme-none in the pack to copy sinks from',
            place: { file: 'sample.yaml', line: 1 },
          },
        ],
      }),
    )
  })

  test('is a fault where the other rule takes its own from a third', () => {
    const second = data('acme-second', [{ of: 'acme-run' }])
    expect(() => made(data('acme-third', [{ of: 'acme-second' }]), [own, second])).toThrow(/not valid/)
    expect(() => made(data('acme-self', [{ of: 'acme-self' }]))).toThrow(/not valid/)
  })

  test('is judged like its own where what it takes is no sink', () => {
    const broken = data('acme-broken', [{ calls: 3 }, null])
    expect(() => made(data('acme-more', [{ of: 'acme-broken' }]), [broken])).toThrow(
      expect.objectContaining({ code: 'PACK_INVALID' }),
    )
  })
})

describe('a sink that says from', () => {
  test('takes input of these kinds alone', () => {
    const sources = ['argument', 'stdin']
    const sinks = [{ calls: ['run_it'], from: ['stdin'] }]
    const rule = made(data('acme-typed', sinks, { sources }))
    expect(firesOn(rule, CODE)).toBe(false)
    expect(firesOn(rule, { code: 'def f():\n    run_it("a " + input())\n' })).toBe(true)
  })

  test('is a fault where the rule does not follow the kind', () => {
    expect(() => made(data('acme-typed', [{ calls: ['run_it'], from: ['stdin'] }]))).toThrow(
      expect.objectContaining({
        faults: [expect.objectContaining({ message: expect.stringContaining('none of the sources') })],
      }),
    )
  })
})
