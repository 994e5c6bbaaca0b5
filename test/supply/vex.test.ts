import { describe, expect, it } from 'vitest'
import { makePathFinder } from '../../engine/supply/advisories/paths.ts'
import { compileProducts } from '../../engine/supply/advisories/products.ts'
import { coversPurl, findStatement, namesRepository, readVex } from '../../engine/supply/advisories/vex.ts'

const subject = (more = {}) => ({
  ids: ['GHSA-1', 'CVE-1'],
  purl: 'pkg:npm/%40s/a@1.0.0',
  isWithin: (product: string) => coversPurl(product, 'pkg:npm/app@2.0.0') || namesRepository(product, new Set(['app'])),
  ...more,
})
const open = (...statements: object[]) =>
  readVex(JSON.stringify({ '@context': 'https://openvex.dev/ns/v0.2.0', statements }), 'v.json')
const statement = (more = {}) => ({
  vulnerability: { name: 'CVE-1' },
  products: [{ '@id': 'pkg:npm/%40s/a@1.0.0' }],
  status: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
  ...more,
})

describe('OpenVEX', () => {
  it('says of a package that it is not affected', () => {
    expect(findStatement(open(statement()), subject())).toMatchObject({
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
    })
  })

  it.each<[string, object, boolean]>([
    ['another version', { products: [{ '@id': 'pkg:npm/%40s/a@1.0.1' }] }, false],
    ['every version', { products: [{ '@id': 'pkg:npm/@s/a' }] }, true],
    ['another vulnerability', { vulnerability: { name: 'CVE-2' } }, false],
    ['the vulnerability by an address', { vulnerability: { '@id': 'https://nvd.nist.gov/vuln/detail/CVE-1' } }, true],
    [
      'the product that contains it',
      { products: [{ '@id': 'pkg:npm/app', subcomponents: [{ '@id': 'pkg:npm/%40s/a' }] }] },
      true,
    ],
    [
      'another product that contains it',
      { products: [{ '@id': 'pkg:npm/other', subcomponents: [{ '@id': 'pkg:npm/%40s/a' }] }] },
      false,
    ],
    [
      'an image that contains it',
      { products: [{ '@id': 'pkg:oci/app', subcomponents: [{ '@id': 'pkg:npm/%40s/a' }] }] },
      true,
    ],
    [
      'a foreign image that contains it',
      { products: [{ '@id': 'pkg:oci/nginx', subcomponents: [{ '@id': 'pkg:npm/%40s/a' }] }] },
      false,
    ],
    [
      'the product with another subcomponent, and a foreign one that contains it',
      {
        products: [
          { '@id': 'pkg:npm/app', subcomponents: [{ '@id': 'pkg:npm/b' }] },
          { '@id': 'pkg:npm/other', subcomponents: [{ '@id': 'pkg:npm/%40s/a' }] },
        ],
      },
      false,
    ],
    ['the product as a whole', { products: [{ '@id': 'pkg:npm/app@2.0.0' }] }, true],
    ['another version of the product', { products: [{ '@id': 'pkg:npm/app@3.0.0' }] }, false],
  ])('about %s', (_, more, holds) => {
    expect(findStatement(open(statement(more)), subject()) !== undefined).toBe(holds)
  })

  it('the latest statement holds', () => {
    const statements = open(
      statement({ timestamp: '2026-02-01T00:00:00Z', status: 'affected' }),
      statement({ timestamp: '2026-01-01T00:00:00Z' }),
    )
    expect(findStatement(statements, subject())!.status).toBe('affected')
  })

  it.each([
    ['no JSON', '{'],
    ['another document', '{"a": 1}'],
    ['no vulnerability', JSON.stringify({ statements: [statement({ vulnerability: undefined })] })],
    ['no known status', JSON.stringify({ statements: [statement({ status: 'fine' })] })],
  ])('that is not understood is refused: %s', (_, text) => {
    expect(() => readVex(text, 'v.json')).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  })
})

describe('CycloneDX VEX', () => {
  it.each([
    ['not_affected', 'not_affected'],
    ['false_positive', 'not_affected'],
    ['resolved', 'fixed'],
    ['exploitable', 'affected'],
    ['in_triage', 'under_investigation'],
  ])('%s is %s', (state, status) => {
    const text = JSON.stringify({
      bomFormat: 'CycloneDX',
      components: [{ 'bom-ref': 'r1', purl: 'pkg:npm/%40s/a@1.0.0' }],
      vulnerabilities: [{ id: 'CVE-1', affects: [{ ref: 'urn:cdx:1/1#r1' }], analysis: { state, detail: 'why' } }],
    })
    expect(findStatement(readVex(text, 'v.json'), subject())).toMatchObject({ status, justification: 'why' })
  })
})

describe('a package URL covers another', () => {
  it.each([
    ['pkg:npm/a', 'pkg:npm/a@1.0.0', true],
    ['pkg:npm/a@1.0.0', 'pkg:npm/a@1.0.0?x=y', true],
    ['pkg:npm/@s/a@1.0.0', 'pkg:npm/%40s/a@1.0.0', true],
    ['pkg:npm/a@1.0.0', 'pkg:npm/a@1.0.1', false],
    ['pkg:npm/a', 'pkg:npm/ab@1.0.0', false],
    ['pkg:npm/a', 'pkg:pypi/a@1.0.0', false],
  ])('%s, %s: %s', (stated, actual, expected) => {
    expect(coversPurl(stated, actual)).toBe(expected)
  })
})

describe('a product of the repository', () => {
  const inventory = (dependencies: Record<string, string[]>) => ({
    components: ['a', 'b'].map(name => ({
      ...{
        id: name,
        ecosystem: 'npm',
        name,
        version: '1.0.0',
        purl: `pkg:npm/${name}@1.0.0`,
        kind: 'library' as const,
      },
      ...{
        scope: 'production' as const,
        direct: true,
        locations: [],
        hashes: [],
        dependencies: dependencies[name] ?? [],
      },
    })),
    projects: ['p', 'q'].map(name => ({
      ...{
        id: `npm:${name}`,
        ecosystem: 'npm',
        name,
        version: '2.0.0',
        file: '',
        dependencies: dependencies[name] ?? [],
      },
    })),
  })
  const tell = (dependencies: Record<string, string[]>, product: string) => {
    const all = inventory(dependencies)
    return compileProducts(all, makePathFinder(all), ['Repo'])({ id: 'a' }, product)
  }

  it('contains a package where each way to it passes the product', () => {
    expect(tell({ p: ['b'], b: ['a'] }, 'pkg:npm/b')).toBe(true)
    expect(tell({ p: ['b', 'a'], b: ['a'] }, 'pkg:npm/b')).toBe(false)
    expect(tell({ p: ['a'] }, 'pkg:npm/p@2.0.0')).toBe(true)
    expect(tell({ p: ['a'], q: ['a'] }, 'pkg:npm/p@2.0.0')).toBe(false)
    expect(tell({ p: ['a'], q: ['a'] }, 'pkg:oci/repo@sha256:1?repository_url=e.org/x')).toBe(true)
    expect(tell({ p: ['a'], q: ['a'] }, 'pkg:github/o/repo')).toBe(true)
    expect(tell({ p: ['a'], q: ['a'] }, 'pkg:oci/nginx')).toBe(false)
    expect(tell({}, 'pkg:npm/p')).toBe(false)
  })
})
