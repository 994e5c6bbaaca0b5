import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readVex } from '../../engine/supply/advisories/vex.ts'
import { VEX_FORMATS, writeVex } from '../../engine/supply/advisories/vex-write.ts'
import type { Vulnerability, VulnerabilityReport } from '../../engine/supply/advisories/vulnerability.ts'

const SCHEMAS = new URL('../../../shared/data/schemas/', import.meta.url)
const isThere = existsSync(SCHEMAS)
if (!isThere) console.warn('VEX documents were not validated: ../shared/data/schemas is not there.')

const make = (name: string, more: Partial<Vulnerability>): Vulnerability => ({
  ...{ id: `GHSA-${name}`, aliases: [`CVE-2026-1000${name.length}`], summary: `${name} is wrong`, severity: 'high' },
  ...{ cwe: [], references: [], modified: '2026-01-01T00:00:00Z', ecosystem: 'npm', package: name, version: '1.0.0' },
  ...{ purl: `pkg:npm/${name}@1.0.0`, component: name, direct: true, scope: 'production', locations: [], paths: [] },
  ...{ fixed_versions: ['1.0.1'], reachability: 'unknown', status: 'open' },
  ...more,
})
const vulnerabilities = [
  make('o', {}),
  make('aa', { vex_status: 'affected' }),
  make('nnn', {
    status: 'dismissed',
    dismissal: { by: 'vex', status: 'not_affected', reason: 'the code is not there', file: 'v.json' },
  }),
  make('ffff', { status: 'dismissed', dismissal: { by: 'vex', status: 'fixed', reason: '', file: 'v.json' } }),
  make('iiiii', {
    status: 'dismissed',
    dismissal: {
      by: 'ignore',
      status: 'ignored',
      reason: 'not used',
      file: '.svc/vuln-ignores.yaml',
      expires: '2027-01-31',
    },
  }),
]
const report = { vulnerabilities } as unknown as VulnerabilityReport
const options = { author: 'Example Ltd', name: 'app', now: new Date('2026-11-26T00:00:00Z') }

describe('a VEX document', () => {
  it.each(VEX_FORMATS)('in %s says of each vulnerability what is known, and reads back as that', format => {
    const statements = readVex(writeVex(report, format, options), 'out.json')
    expect(statements.map(({ status, products }) => [products[0], status])).toEqual([
      ['pkg:npm/o@1.0.0', 'under_investigation'],
      ['pkg:npm/aa@1.0.0', 'affected'],
      ['pkg:npm/nnn@1.0.0', 'not_affected'],
      ['pkg:npm/ffff@1.0.0', 'fixed'],
      ['pkg:npm/iiiii@1.0.0', 'affected'],
    ])
    expect(statements[0]!.ids).toEqual(expect.arrayContaining(['GHSA-o', 'CVE-2026-10001']))
    expect(statements[2]!.justification).toContain('the code is not there')
  })

  it('is the same for the same report and time', () => {
    for (const format of VEX_FORMATS) expect(writeVex(report, format, options)).toBe(writeVex(report, format, options))
  })

  it('never says of an accepted vulnerability that the product is not affected', () => {
    const { statements } = JSON.parse(writeVex(report, 'openvex', options)) as { statements: Record<string, unknown>[] }
    expect(statements[4]).toMatchObject({ status: 'affected', action_statement: 'Accepted until 2027-01-31: not used' })
  })

  it.runIf(isThere)('is valid against the schema of OpenVEX', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js')
    const { default: formats } = await import('ajv-formats')
    const ajv = new Ajv2020({ strict: false })
    ;(formats as unknown as (ajv: object) => void)(ajv)
    const schema = JSON.parse(readFileSync(new URL('vex/openvex.schema.json', SCHEMAS), 'utf8')) as object
    const isValid = ajv.compile(schema)
    expect(isValid(JSON.parse(writeVex(report, 'openvex', options))), JSON.stringify(isValid.errors)).toBe(true)
  })

  it('is valid against the schema of CycloneDX; it is no SBOM, which would have dependencies', async () => {
    const { checkSbom } = await import('../../engine/supply/sbom/check.ts')
    const { faults } = await checkSbom(writeVex(report, 'cyclonedx', options))
    expect(faults.filter(({ kind, severity }) => severity === 'error' && kind !== 'ntia')).toEqual([])
  })
})

describe('a CSAF document', () => {
  const csaf = (vulnerability: object, tree: object = {}) =>
    JSON.stringify({
      document: { csaf_version: '2.0', tracking: { current_release_date: '2026-05-01T00:00:00Z' } },
      product_tree: tree,
      vulnerabilities: [vulnerability],
    })
  const product = (product_id: string, purl?: string) => ({
    ...{ product_id, name: product_id },
    ...(purl !== undefined && { product_identification_helper: { purl } }),
  })

  it('is read with its branches, and with components in products', () => {
    const tree = {
      branches: [
        {
          category: 'vendor',
          name: 'v',
          branches: [{ category: 'product_version', name: '1', product: product('P', 'pkg:npm/app@1.0.0') }],
        },
      ],
      full_product_names: [product('C', 'pkg:npm/a@1.0.0')],
      relationships: [
        {
          category: 'default_component_of',
          product_reference: 'C',
          relates_to_product_reference: 'P',
          full_product_name: product('P:C'),
        },
      ],
    }
    const vulnerability = {
      cve: 'CVE-2026-1',
      ids: [{ system_name: 'GHSA', text: 'GHSA-a' }],
      product_status: { known_not_affected: ['P:C'], known_affected: ['C'] },
      flags: [{ label: 'vulnerable_code_not_present', product_ids: ['P:C'] }],
      threats: [{ category: 'impact', details: 'never called', product_ids: ['P:C'] }],
    }
    expect(readVex(csaf(vulnerability, tree), 'c.json')).toEqual([
      {
        ...{ ids: ['CVE-2026-1', 'GHSA-a'], status: 'not_affected', products: ['pkg:npm/app@1.0.0'] },
        ...{ subcomponents: ['pkg:npm/a@1.0.0'], justification: 'vulnerable_code_not_present: never called' },
        ...{ timestamp: '2026-05-01T00:00:00Z', file: 'c.json' },
      },
      expect.objectContaining({
        status: 'affected',
        products: ['pkg:npm/a@1.0.0'],
        subcomponents: [],
        justification: '',
      }),
    ])
  })

  it('is refused where a vulnerability has no id or no status: what is not understood is not none', () => {
    expect(() => readVex(csaf({ product_status: {} }), 'c.json')).toThrow('Vulnerability 1 has neither cve nor ids.')
    expect(() => readVex(csaf({ cve: 'CVE-2026-1' }), 'c.json')).toThrow('has no product_status')
  })
})
