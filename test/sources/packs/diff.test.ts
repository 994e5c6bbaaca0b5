import { describe, expect, test } from 'vitest'
import { diffPacks, isSame } from '../../../engine/sources/packs/diff.ts'
import { findGaps } from '../../../engine/sources/packs/gap.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'
import fc from '../../made/property.ts'
import { packWith, wordRuleData } from './pack-samples.ts'

const WORDS = ['alpha', 'bravo', 'charlie', 'delta']
const rules = (words: readonly string[], more: Record<string, unknown> = {}) =>
  words.map(word => wordRuleData(word, more))
const obligation = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  control: 'C1',
  title: `Show ${id}`,
  evidence: 'A record.',
  files: ['docs/*.md'],
  ...more,
})
const control = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  title: `Control ${id}`,
  meaning: 'Something holds.',
  maps: [{ rules: ['acme-alpha'], cwe: ['CWE-79'], why: 'It shows it.' }],
  ...more,
})
const base = (): Pack =>
  packWith(
    rules(WORDS, { severity: 'medium', languages: ['python'], files: ['src/**'], exclude_files: ['src/gen/**'] }),
    {
      controls: [control('C1'), control('C2')],
      obligations: [obligation('o-1'), obligation('o-2')],
    },
  )

describe('diff', () => {
  test('of every built-in pack with itself is empty', () => {
    for (const pack of loadBuiltinPacks()) expect(isSame(diffPacks(pack, structuredClone(pack))), pack.id).toBe(true)
  })

  test('does not depend on the order in which parts stand', () => {
    const pack = base()
    const turned = { ...pack, rules: [...pack.rules].reverse(), controls: [...pack.controls].reverse() }
    expect(isSame(diffPacks(pack, turned))).toBe(true)
  })

  test('of two sets of rules is what set difference says, both ways round', () => {
    fc.assert(
      fc.property(fc.subarray(WORDS), fc.subarray(WORDS), (old, now) => {
        const diff = diffPacks(packWith(rules(old)), packWith(rules(now)))
        const without = (a: string[], b: string[]) => a.filter(word => !b.includes(word)).map(word => `acme-${word}`)
        expect(diff.added.map(({ id }) => id)).toEqual(without(now, old))
        expect(diff.removed.map(({ id }) => id)).toEqual(without(old, now))
        expect(diff.changed).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  test('names the keys that changed, with both values', () => {
    const diff = diffPacks(
      packWith(rules(['alpha'])),
      packWith(rules(['alpha'], { severity: 'high' }), { version: '2.0.0' }),
    )
    expect(diff.changed).toEqual([
      {
        kind: 'rule',
        id: 'acme-alpha',
        title: 'The word alpha',
        changes: [{ key: 'severity', before: 'medium', after: 'high' }],
      },
    ])
    expect(diff.head).toEqual([{ key: 'version', before: '1.0.0', after: '2.0.0' }])
  })
})

/** Takes the part of this id out of a list. */
function without(parts: { id: string }[], id: string): void {
  parts.splice(
    parts.findIndex(part => part.id === id),
    1,
  )
}

/** Edits of the base pack, each with what it must be called. */
const EDITS: readonly { name: string; gap: string; id: string; edit: (pack: Pack) => unknown }[] = [
  {
    name: 'a rule is added',
    gap: 'new',
    id: 'acme-echo',
    edit: p => p.rules.push(packWith(rules(['echo'])).rules[0]!),
  },
  {
    name: 'a rule is removed',
    gap: 'removed',
    id: 'acme-bravo',
    edit: p => without(p.rules, 'acme-bravo'),
  },
  {
    name: 'a severity rises',
    gap: 'strengthened',
    id: 'acme-alpha',
    edit: p => Object.assign(p.rules[0]!, { severity: 'high' }),
  },
  {
    name: 'a severity falls',
    gap: 'relaxed',
    id: 'acme-alpha',
    edit: p => Object.assign(p.rules[0]!, { severity: 'low' }),
  },
  {
    name: 'a language comes in',
    gap: 'strengthened',
    id: 'acme-alpha',
    edit: p => p.rules[0]!.languages.push('go'),
  },
  {
    name: 'every language counts',
    gap: 'strengthened',
    id: 'acme-alpha',
    edit: p => Object.assign(p.rules[0]!, { languages: ['any'] }),
  },
  {
    name: 'paths are left out',
    gap: 'relaxed',
    id: 'acme-alpha',
    edit: p => p.rules[0]!.exclude_files.push('src/old/**'),
  },
  {
    name: 'paths come back in',
    gap: 'strengthened',
    id: 'acme-alpha',
    edit: p => Object.assign(p.rules[0]!, { exclude_files: [] }),
  },
  {
    name: 'every path counts',
    gap: 'strengthened',
    id: 'acme-alpha',
    edit: p => Object.assign(p.rules[0]!, { files: [] }),
  },
  {
    name: 'a pattern changes',
    gap: 'strengthened',
    id: 'acme-alpha',
    edit: p => Object.assign(p.rules[0]!, { regex: 'alpha' }),
  },
  {
    name: 'a text changes',
    gap: 'reworded',
    id: 'acme-alpha',
    edit: p => Object.assign(p.rules[0]!, { message: 'Otherwise.' }),
  },
  {
    name: 'an obligation is added',
    gap: 'new',
    id: 'o-3',
    edit: p => p.obligations.push({ ...p.obligations[0]!, id: 'o-3' }),
  },
  { name: 'an obligation is removed', gap: 'removed', id: 'o-1', edit: p => without(p.obligations, 'o-1') },
  {
    name: 'other evidence is asked for',
    gap: 'strengthened',
    id: 'o-1',
    edit: p => Object.assign(p.obligations[0]!, { evidence: 'A signed record.' }),
  },
  {
    name: 'more files can be the evidence',
    gap: 'relaxed',
    id: 'o-1',
    edit: p => p.obligations[0]!.files.push('wiki/**'),
  },
  {
    name: 'an obligation is retitled',
    gap: 'reworded',
    id: 'o-1',
    edit: p => Object.assign(p.obligations[0]!, { title: 'Else' }),
  },
  {
    name: 'a control is added',
    gap: 'new',
    id: 'C3',
    edit: p => p.controls.push({ ...p.controls[0]!, id: 'C3' }),
  },
  { name: 'a control is removed', gap: 'removed', id: 'C2', edit: p => without(p.controls, 'C2') },
  {
    name: 'more bears on a control',
    gap: 'strengthened',
    id: 'C1',
    edit: p => p.controls[0]!.maps[0]!.cwe.push('CWE-89'),
  },
  {
    name: 'less bears on a control',
    gap: 'relaxed',
    id: 'C1',
    edit: p => Object.assign(p.controls[0]!.maps[0]!, { cwe: [] }),
  },
]

describe('gap analysis', () => {
  test.each(EDITS)('where $name, $id is $gap', ({ gap, id, edit }) => {
    const after = structuredClone(base())
    edit(after)
    expect(findGaps(base(), after)).toEqual([expect.objectContaining({ gap, id })])
  })

  test('classifies each of several edits of different parts as it does alone', () => {
    fc.assert(
      fc.property(fc.subarray([...EDITS], { minLength: 1 }), edits => {
        const apart = edits.filter((edit, index) => edits.findIndex(({ id }) => id === edit.id) === index)
        // Those that move the parts that others edit come last.
        const ordered = [...apart].sort((a, b) => Number(/removed/.test(a.name)) - Number(/removed/.test(b.name)))
        const after = structuredClone(base())
        for (const { edit } of ordered) edit(after)
        const gaps = Object.fromEntries(findGaps(base(), after).map(({ id, gap }) => [id, gap]))
        expect(gaps).toEqual(Object.fromEntries(ordered.map(({ id, gap }) => [id, gap])))
      }),
      { numRuns: 100 },
    )
  })

  test('a change that asks both more and less is strengthened, with both reasons', () => {
    const after = structuredClone(base())
    after.controls[0]!.maps[0]!.cwe = ['CWE-89']
    const [gap] = findGaps(base(), after)
    expect(gap).toMatchObject({
      gap: 'strengthened',
      reasons: ['more bears on it: CWE-89', 'no longer bears on it: CWE-79'],
    })
  })

  test('a rule that follows input to other places than before is strengthened', () => {
    const following = (calls: string[]): Pack => {
      const pack = base()
      const taint = {
        type: 'taint',
        class: 'sql',
        sources: ['request'],
        own_sources: [],
        cleaners: [],
        sinks: [{ calls }],
      }
      return { ...pack, rules: [{ ...pack.rules[0]!, ...taint } as Pack['rules'][number]] }
    }
    expect(findGaps(following(['a.run']), following(['a.run', 'a.go']))).toMatchObject([
      { gap: 'strengthened', reasons: ['what it finds (sinks)'] },
    ])
  })
})
