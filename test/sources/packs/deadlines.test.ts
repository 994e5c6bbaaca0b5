import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { countDaysBetween, listDeadlines } from '../../../engine/sources/packs/deadlines.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'
import { parsePack } from '../../../engine/sources/packs/parse.ts'
import { ROOT } from '../../root.ts'
import { packOf } from './made.ts'

const pack = packOf('law', {
  framework: { id: 'law', name: 'Law', edition: '1', date: '2024-01-01' },
  deadlines: ['2026-03-01', '2025-12-31', '2026-05-31', '2026-06-01'].map(date => ({
    date,
    title: date,
    meaning: 'It binds.',
    source: 'https://example.org/law',
  })),
})
const states = (today: string) =>
  listDeadlines([pack], new Set(['law']), today).map(({ date, state, days }) => [date, state, days])

describe('a deadline', () => {
  test('is past the day after it, soon within 90 days, else ahead, and they come in order', () => {
    expect(states('2026-03-02')).toEqual([
      ['2025-12-31', 'past', -61],
      ['2026-03-01', 'past', -1],
      ['2026-05-31', 'soon', 90],
      ['2026-06-01', 'ahead', 91],
    ])
  })

  test('is soon on its own day', () => {
    expect(states('2026-03-01')[1]).toEqual(['2026-03-01', 'soon', 0])
  })

  test('counts calendar days over leap days and clock changes', () => {
    expect(countDaysBetween('2028-02-28', '2028-03-01')).toBe(2)
    expect(countDaysBetween('2026-03-28', '2026-03-30')).toBe(2)
  })

  test('says whether its pack is on', () => {
    expect(listDeadlines([pack], new Set(), '2026-03-02').every(({ enabled }) => !enabled)).toBe(true)
  })
})

describe('the deadlines that come with svc', () => {
  let packs: Pack[]
  beforeAll(async () => {
    const folder = join(ROOT, 'packs')
    packs = await Promise.all(
      readdirSync(folder)
        .filter(id => existsSync(join(folder, id, 'pack.yaml')))
        .map(id => parsePack(readFileSync(join(folder, id, 'pack.yaml')), `${id}/pack.yaml`)),
    )
  })

  test('are real days of a framework, each with the address of a text', () => {
    const all = packs.flatMap(({ deadlines, framework }) => deadlines.map(each => ({ ...each, framework })))
    expect(all.length).toBeGreaterThan(20)
    for (const { date, source, framework } of all) {
      expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date)
      expect(source).toMatch(/^https:\/\/\S+$/)
      expect(framework).toBeDefined()
    }
  })

  test('have the days that the laws set', () => {
    const days = (id: string) => packs.find(each => each.id === id)!.deadlines.map(({ date }) => date)
    expect(days('eu-cra')).toEqual(expect.arrayContaining(['2026-09-11', '2027-12-11']))
    expect(days('dora')).toContain('2025-01-17')
    expect(days('nis2')).toContain('2024-10-17')
    expect(days('pci-dss-4-0-1')).toContain('2025-03-31')
    expect(days('gdpr')).toEqual(['2018-05-25'])
  })
})
