import { beforeAll, describe, expect, test } from 'vitest'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import { mapControlsByRule, type Pack } from '../../../engine/sources/packs/pack.ts'
import { selectPacks } from '../../../engine/sources/packs/select.ts'
import { formatPackPage } from '../../../scripts/generate-rules.ts'
import { packOf, ruleOf } from './made.ts'

const why = 'It bears on it plainly.'
const head = (id: string) => ({ id, name: id, edition: '1', date: '2024' })
const control = (id: string, map: { rules?: string[]; cwe?: string[]; tags?: string[] }) => ({
  id,
  title: id,
  meaning: 'It is so.',
  kind: 'technical' as const,
  maps: [{ rules: [], cwe: [], tags: [], why, ...map }],
})

describe('a framework that is enabled', () => {
  const plain = packOf('plain', { languages: ['c'], rules: [ruleOf('c-copy', { pack_id: 'plain', cwe: ['CWE-120'] })] })
  const strict = packOf('strict', {
    rules: [
      ruleOf('s-copy', { pack_id: 'strict', cwe: ['CWE-120'], tags: ['memory'] }),
      ruleOf('s-goto', { pack_id: 'strict' }),
    ],
  })
  const byCwe = packOf('by-cwe', {
    framework: head('by-cwe'),
    controls: [control('A', { cwe: ['CWE-120'], tags: ['memory'] })],
  })
  const byName = packOf('by-name', { framework: head('by-name'), controls: [control('B', { rules: ['s-goto'] })] })
  const all: Pack[] = [plain, strict, byCwe, byName]
  const on = (enable: string[], detect = true) =>
    selectPacks(all, { detect, enable, disable: [] }, new Set(['c'])).rules.map(({ id }) => id)

  test('brings the rules that it names from a pack that no language turns on', () => {
    expect(on(['by-name'])).toEqual(['c-copy', 's-goto'])
  })

  test('brings by a CWE number or tag only rules of packs that languages turn on', () => {
    expect(on(['by-cwe'])).toEqual(['c-copy'])
  })

  test('takes every rule with the CWE number once the pack is on too', () => {
    expect(on(['by-cwe', 'strict'])).toEqual(['c-copy', 's-copy', 's-goto'])
    const { controls } = selectPacks(all, { detect: true, enable: ['by-cwe', 'strict'], disable: [] }, new Set(['c']))
    expect(controls.get('s-copy')).toEqual([{ framework: 'by-cwe', control: 'A' }])
  })

  test('brings rules where no pack is detected', () => {
    expect(on(['by-cwe'], false)).toEqual(['c-copy'])
  })

  test('names a control once for a rule that several of its mappings select', () => {
    const twice = packOf('twice', {
      framework: head('twice'),
      controls: [{ ...control('T', {}), maps: [{ rules: ['s-copy'], cwe: ['CWE-120'], tags: ['memory'], why }] }],
    })
    expect(mapControlsByRule([twice], strict.rules).get('s-copy')).toEqual([{ framework: 'twice', control: 'T' }])
  })
})

describe('the framework packs that come with svc', () => {
  let packs: readonly Pack[]
  beforeAll(() => {
    packs = loadBuiltinPacks()
  })
  const frameworks = () => packs.filter(({ framework }) => framework)

  test('are those that the product names', () => {
    const names = frameworks().map(({ id }) => id)
    expect(names.length).toBeGreaterThanOrEqual(30)
    expect(names).toEqual(expect.arrayContaining(['soc2-tsc-2017', 'iso-27001-2022', 'pci-dss-4-0-1', 'misra-c-2023']))
  })

  test('carry no more controls than the framework has', () => {
    for (const { id, framework, controls } of frameworks())
      expect(controls.length, id).toBeLessThanOrEqual(framework!.controls_total ?? Number.POSITIVE_INFINITY)
  })

  test('use ids of the form that the framework uses', () => {
    const forms: Record<string, RegExp> = {
      'owasp-asvs-5-0': /^V\d{1,2}\.\d{1,2}\.\d{1,2}$/,
      'owasp-api-top-10-2023': /^API([1-9]|10):2023$/,
      'owasp-llm-top-10-2025': /^LLM(0[1-9]|10):2025$/,
      'cwe-top-25-2025': /^CWE-\d+$/,
      'soc2-tsc-2017': /^(CC[1-9]|A1|C1|PI1)\.[1-9]$/,
      'iso-27001-2022': /^A\.(5\.([1-9]|[12]\d|3[0-7])|6\.[1-8]|7\.([1-9]|1[0-4])|8\.([1-9]|[12]\d|3[0-4]))$/,
      'nist-800-53-r5': /^[A-Z]{2}-\d{1,2}(\(\d{1,2}\))?$/,
      'nist-ssdf-1-1': /^(PO|PS|PW|RV)\.\d\.\d$/,
      'nist-csf-2-0': /^(GV|ID|PR|DE|RS|RC)\.[A-Z]{2}-\d{2}$/,
      'pci-dss-4-0-1': /^\d{1,2}(\.\d{1,2}){2}$/,
      'hipaa-security-rule': /^164\.3(08|10|12|14|16)\(/,
      'cis-controls-8-1': /^([1-9]|1[0-8])\.\d{1,2}$/,
      'cmmc-2-0': /^[A-Z]{2}\.L2-3\.\d{1,2}\.\d{1,2}$/,
      'misra-c-2023': /^(Rule|Dir) \d{1,2}\.\d{1,2}$/,
      'cert-c': /^[A-Z]{3}\d{2}-C$/,
      'iec-62443-4-1': /^(SM|SR|SD|SI|SVV|DM|SUM|SG)-\d{1,2}$/,
    }
    for (const [id, form] of Object.entries(forms)) {
      const ids = packs.find(pack => pack.id === id)!.controls.map(each => each.id)
      expect(
        ids.filter(each => !form.test(each)),
        id,
      ).toEqual([])
    }
  })

  test('have a whole Top 10 and Top 25', () => {
    const count = (id: string) => packs.find(pack => pack.id === id)!.controls.length
    expect(['owasp-api-top-10-2023', 'owasp-llm-top-10-2025', 'cwe-top-25-2025'].map(count)).toEqual([10, 10, 25])
  })

  test('leave the rules for safety-related C off until such a framework is enabled', () => {
    const rules = (enable: string[]) =>
      selectPacks(packs, { detect: true, enable, disable: [] }, new Set(['c'])).rules.filter(
        ({ pack_id }) => pack_id === 'c-safety',
      ).length
    expect(rules([])).toBe(0)
    expect(rules(['cwe-top-25-2025', 'nist-800-53-r5', 'soc2-tsc-2017'])).toBe(0)
    expect(rules(['misra-c-2023'])).toBeGreaterThan(40)
  })

  test('have a page each that names every control', () => {
    for (const pack of frameworks()) {
      const page = formatPackPage(pack)
      expect(pack.controls.filter(({ id, title }) => !page.includes(`### ${id} ${title}`))).toEqual([])
    }
    expect(formatPackPage(packs.find(({ id }) => id === 'eu-cra')!)).toContain('2027-12-11')
  })
})
