import { describe, expect, test } from 'vitest'
import { findGaps } from '../../../engine/sources/packs/gap.ts'
import { formatPack } from '../../../engine/sources/packs/pack-file.ts'
import { type PackChoice, selectPacks } from '../../../engine/sources/packs/select.ts'
import { packWith, wordRuleData } from './pack-samples.ts'

// Canary rules: off by default, and promoted by removing one line.

const onTrial = wordRuleData('bravo', { canary: true })
const pack = packWith([wordRuleData('alpha'), onTrial], { languages: ['any'] })
const framework = {
  id: 'strict',
  framework: { id: 'strict', name: 'Strict', edition: '1', date: '2026-01-01' },
  controls: [
    {
      id: 'S1',
      title: 'Words',
      meaning: 'No words.',
      maps: [{ rules: ['acme-bravo'], cwe: [], tags: [], why: 'It is the word.' }],
    },
  ],
}
const ran = (choice: Partial<PackChoice>, packs = [pack]) =>
  selectPacks(packs, { detect: true, enable: [], disable: [], ...choice }, new Set()).rules.map(({ id }) => id)

describe('a canary rule', () => {
  test('does not run where its pack is on', () => expect(ran({})).toEqual(['acme-alpha']))

  test('does not run because a framework maps it either', () =>
    expect(ran({ enable: ['strict'] }, [pack, packWith([], framework)])).toEqual(['acme-alpha']))

  test('runs where packs.canary asks for all of them', () =>
    expect(ran({ canary: true })).toEqual(['acme-alpha', 'acme-bravo']))

  test('runs where an override asks for it alone', () =>
    expect(ran({ overrides: { 'acme-bravo': { enabled: true } } })).toEqual(['acme-alpha', 'acme-bravo']))

  test('does not run where an override switches it off, whatever packs.canary says', () =>
    expect(ran({ canary: true, overrides: { 'acme-bravo': { enabled: false } } })).toEqual(['acme-alpha']))

  test('does not run where an override changes only its severity', () =>
    expect(ran({ overrides: { 'acme-bravo': { severity: 'low' } } })).toEqual(['acme-alpha']))

  test('stays a canary when its pack is written to a file', async () =>
    expect((await formatPack(pack)).match(/canary: true/g)).toHaveLength(1))

  test('is a stricter obligation once it is promoted', () => {
    const promoted = packWith([wordRuleData('alpha'), wordRuleData('bravo')], { languages: ['any'] })
    expect(findGaps(pack, promoted)).toMatchObject([
      { gap: 'strengthened', id: 'acme-bravo', reasons: ['no longer a canary: runs by default'] },
    ])
    expect(findGaps(promoted, pack)).toMatchObject([{ gap: 'relaxed', id: 'acme-bravo' }])
  })

  test('can be a canary or not, and nothing between', () =>
    expect(() => packWith([wordRuleData('alpha', { canary: 'soon' })])).toThrow('not valid'))
})
