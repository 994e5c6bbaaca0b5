import { beforeAll, describe, expect, test } from 'vitest'
import { mapControlsByRule, type Pack } from '../../../engine/sources/packs/pack.ts'
import { loadShippedPacks } from '../../made/shipped-packs.ts'

/** How many CWE numbers OWASP says it counts to each category, A01 first. */
const COUNTS: Record<string, number[]> = {
  'owasp-top-10-2021': [34, 29, 33, 40, 20, 3, 22, 10, 4, 1],
  'owasp-top-10-2025': [40, 16, 6, 32, 37, 39, 36, 14, 5, 24],
}

/** What a title calls a cryptographic key. */
const KEY = /\b(?:signing|encryption|cryptographic|private|session|secret) (?:key|secret|signing)\b/i

let packs: readonly Pack[]
beforeAll(async () => {
  packs = await loadShippedPacks()
})

describe.each(Object.keys(COUNTS))('%s', id => {
  const pack = () => packs.find(candidate => candidate.id === id)!
  const numbers = (control: Pack['controls'][number]) => control.maps.flatMap(({ cwe }) => cwe)

  test('has the ten controls, each with as many CWE numbers as OWASP counts to it', () => {
    expect(pack().controls.map(control => control.id)).toEqual(
      COUNTS[id]!.map((_, at) => `A${String(at + 1).padStart(2, '0')}`),
    )
    expect(pack().controls.map(control => numbers(control).length)).toEqual(COUNTS[id])
  })

  test('counts no CWE number to two controls', () => {
    const all = pack().controls.flatMap(numbers)
    expect(all.filter((cwe, at) => all.indexOf(cwe) !== at)).toEqual([])
  })

  test('names only rules that exist, and only where no CWE number of the rule brings it to the control already', () => {
    const rules = new Map(packs.flatMap(({ rules }) => rules).map(rule => [rule.id, rule]))
    for (const control of pack().controls) {
      const brought = new Set(numbers(control))
      for (const name of control.maps.flatMap(map => map.rules)) {
        expect(rules.has(name), `${control.id} maps ${name}`).toBe(true)
        expect(
          rules.get(name)!.cwe.some(cwe => brought.has(cwe)),
          `${control.id} maps ${name} twice`,
        ).toBe(false)
      }
    }
  })

  test('brings the command injection rules of all languages to the injection control', () => {
    const rules = packs.flatMap(candidate => candidate.rules)
    const controls = mapControlsByRule([pack()], rules)
    const injection = id.endsWith('2021') ? 'A03' : 'A05'
    const commands = rules.filter(rule => rule.cwe.includes('CWE-78'))
    expect(commands.length).toBeGreaterThan(5)
    for (const { id: rule } of commands)
      expect(controls.get(rule), rule).toContainEqual({ framework: id, control: injection })
  })

  test('brings every hard-coded cryptographic key to the cryptography control', () => {
    const rules = packs.flatMap(candidate => candidate.rules)
    const controls = mapControlsByRule([pack()], rules)
    const cryptography = id.endsWith('2021') ? 'A02' : 'A04'
    const keys = rules.filter(
      rule =>
        (rule.type === 'secret' && rule.detector.armor !== undefined) ||
        (rule.type !== 'secret' && rule.cwe.includes('CWE-798') && KEY.test(rule.title)),
    )
    expect(keys.length).toBeGreaterThan(10)
    for (const { id: rule } of keys)
      expect(controls.get(rule), rule).toContainEqual({ framework: id, control: cryptography })
  })
})
