import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { default as ajvModule } from 'ajv'
import { default as formats } from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { Component, Inventory } from '../../engine/supply/inventory/component.ts'
import { makeBill } from '../../engine/supply/sbom/bill.ts'
import { checkSbom } from '../../engine/supply/sbom/check.ts'
import { CYCLONEDX_VERSIONS, writeCyclonedx } from '../../engine/supply/sbom/cyclonedx.ts'
import { writeSpdx } from '../../engine/supply/sbom/spdx.ts'

const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url))
const isThere = existsSync(DATA)
if (!isThere) console.warn('SBOMs were not held against the official schemas: ../shared/data is not there.')

const component = (id: string, more: Partial<Component>): Component => ({
  ...{ id, ecosystem: 'npm', name: id.replace(/^pkg:npm\/|@[^@]*$/g, ''), version: '1.0.0', purl: id, kind: 'library' },
  ...{
    scope: 'production',
    direct: true,
    locations: [{ file: 'package-lock.json', line: 3 }],
    hashes: [],
    dependencies: [],
  },
  ...more,
})

/** A component of each kind, scope and oddity that a document has to carry. */
const INVENTORY: Inventory = {
  components: [
    component('pkg:npm/%40a/b@1.0.0', {
      name: '@a/b',
      license: 'MIT',
      dependencies: ['pkg:npm/c@1.0.0'],
      hashes: [{ algorithm: 'SHA-512', value: 'ab'.repeat(64) }],
    }),
    component('pkg:npm/c@1.0.0', {
      scope: 'development',
      license: '(MIT OR Apache-2.0)',
      resolved: 'https://example.org/c.tgz',
    }),
    component('pkg:npm/d@1.0.0', {
      scope: 'optional',
      license: 'SEE LICENSE IN LICENSE.md',
      resolved: 'git+ssh://git@example.org/d.git#abc',
    }),
    component('pkg:npm/e#^1', {
      version: undefined,
      requirement: '^1',
      purl: 'pkg:npm/e',
      scope: 'test',
      license: 'UNLICENSED',
    }),
    component('pkg:maven/g/a@1', {
      ecosystem: 'Maven',
      name: 'g:a',
      scope: 'unknown',
      hashes: [
        { algorithm: 'SHA-256', value: 'cd'.repeat(32) },
        { algorithm: 'MD5', value: 'ef'.repeat(16) },
      ],
    }),
    component('pkg:docker/node@20', { ecosystem: 'Docker', name: 'node', kind: 'container', license: '日本 ] <&> "' }),
  ],
  projects: [
    {
      id: 'npm:.',
      ecosystem: 'npm',
      name: 'root',
      version: '2.0.0',
      license: 'Apache-2.0',
      file: 'package.json',
      dependencies: ['npm:packages/a', 'pkg:npm/%40a/b@1.0.0'],
    },
    {
      id: 'npm:packages/a',
      ecosystem: 'npm',
      name: 'a',
      file: 'packages/a/package.json',
      dependencies: ['pkg:npm/d@1.0.0'],
    },
  ],
  manifests: [{ file: 'package.json', format: 'package-json', state: 'read', packages: 6 }],
}

const bill = makeBill(INVENTORY, {
  name: 'x',
  created: new Date(1_700_000_000_000),
  tool: { name: 'svc', version: '1' },
})

/** The errors of an official schema. */
function validate(file: string, others: readonly string[], document: unknown): string[] {
  const read = (name: string) => JSON.parse(readFileSync(join(DATA, 'schemas', name), 'utf8')) as object
  const ajv = new ajvModule.Ajv({ strict: false, allErrors: true, logger: false })
  formats.default(ajv)
  ajv.addFormat('iri-reference', true)
  ajv.addFormat('idn-email', true)
  for (const name of others) ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name.replace('cyclonedx/', '')}`)
  const check = ajv.compile(read(file))
  check(document)
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe.runIf(isThere)('official schemas', () => {
  it.each(CYCLONEDX_VERSIONS)('take what is written as CycloneDX %s', version => {
    const others = ['spdx', 'jsf-0.82', ...(version === '1.7' ? ['cryptography-defs'] : [])].map(
      name => `cyclonedx/${name}.schema.json`,
    )
    const written = JSON.parse(writeCyclonedx(bill, version, 'json')) as unknown
    expect(validate(`cyclonedx/bom-${version}.schema.json`, others, written)).toEqual([])
  })

  it('take what is written as SPDX 2.3', () => {
    expect(validate('spdx/spdx-2.3.schema.json', [], JSON.parse(writeSpdx(bill)))).toEqual([])
  })
})

interface Labelled {
  file: string
  specVersion: string
  format: string
  valid: boolean
}

const labels: Labelled[] = isThere
  ? readFileSync(join(DATA, 'sbom/cyclonedx-validity/labels.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Labelled)
      .filter(({ format }) => format === 'json')
  : []

describe.runIf(isThere)('documents that the specification calls valid or invalid', () => {
  it.each(labels.map(each => [each.file, each] as const))('%s', async (_, { file, valid }) => {
    const path = [join(DATA, 'sbom/cyclonedx-validity', file), join(DATA, 'sbom', file)].find(each => existsSync(each))!
    const { faults } = await checkSbom(readFileSync(path, 'utf8'))
    expect(faults.filter(({ kind }) => kind === 'schema').length === 0).toBe(valid)
  })
})

describe.runIf(!isThere)('official schemas', () => {
  it('were not read: the data is not here', () => expect(labels).toEqual([]))
})
