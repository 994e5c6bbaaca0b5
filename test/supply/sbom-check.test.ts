import { describe, expect, it } from 'vitest'
import { checkSbom } from '../../engine/supply/sbom/check.ts'

const errors = async (document: object) =>
  (await checkSbom(JSON.stringify(document))).faults.flatMap(({ severity, message }) =>
    severity === 'error' ? message : [],
  )

const cyclonedx = (more: object) => ({
  ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
  metadata: {
    timestamp: '2026-01-01T00:00:00Z',
    tools: { components: [{ type: 'application', name: 't', 'bom-ref': 'tool' }] },
  },
  ...more,
})
const part = (more: object) => ({ type: 'library', name: 'a', version: '1', ...more })

const spdx = (more: object) => ({
  ...{ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', SPDXID: 'SPDXRef-DOCUMENT', name: 'x' },
  documentNamespace: 'https://example.org/x',
  creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: x'] },
  packages: [{ SPDXID: 'SPDXRef-a', name: 'a', downloadLocation: 'NOASSERTION' }],
  relationships: [
    { spdxElementId: 'SPDXRef-DOCUMENT', relatedSpdxElement: 'SPDXRef-a', relationshipType: 'DESCRIBES' },
  ],
  ...more,
})

describe('an SBOM that is right', () => {
  it.each<[string, object]>([
    ['has one component, and so nothing to relate', cyclonedx({ components: [part({})] })],
    [
      'names two components alike that have no references',
      cyclonedx({ components: [part({}), part({ scope: 'optional' })], dependencies: [{ ref: 'tool' }] }),
    ],
    [
      'relates components in components, tools, services and other documents',
      cyclonedx({
        components: [part({ 'bom-ref': 'a', components: [part({ 'bom-ref': 'b' })] })],
        services: [{ name: 's', 'bom-ref': 's', services: [{ name: 'u', 'bom-ref': 'u' }] }],
        dependencies: [{ ref: 'a', dependsOn: ['b', 'u', 'tool', 'urn:cdx:f08a6ccd-4dce-4759-bd84-c626675d60a7/1#c'] }],
      }),
    ],
    ['is SPDX 2.3', spdx({})],
    ['is SPDX with files', spdx({ files: [{ SPDXID: 'SPDXRef-f', fileName: './f' }] })],
  ])('has no error: it %s', async (_, document) => {
    expect(await errors(document)).toEqual([])
  })
})

describe('an SBOM that is wrong', () => {
  it.each<[string, object, RegExp]>([
    [
      'uses a reference twice',
      cyclonedx({ components: [part({ 'bom-ref': 'a' }), part({ 'bom-ref': 'a' })] }),
      /used twice/,
    ],
    ['uses that of a tool', cyclonedx({ components: [part({ 'bom-ref': 'tool' })] }), /used twice/],
    [
      'leads nowhere',
      cyclonedx({ components: [part({ 'bom-ref': 'a' })], dependencies: [{ ref: 'a', dependsOn: ['b'] }] }),
      /not there/,
    ],
    ['is of a version that nobody knows', spdx({ spdxVersion: 'SPDX-9.9' }), /not known/],
    ['has a map of packages', spdx({ packages: { a: {} } }), /packages must be a list/],
    ['has a package that is a string', spdx({ packages: ['a'] }), /must be an object/],
    ['has another license of its data', spdx({ dataLicense: 'MIT' }), /CC0/],
    [
      'has an id of another form',
      spdx({ packages: [{ SPDXID: 'a', name: 'a', downloadLocation: 'NONE' }] }),
      /SPDXRef-name/,
    ],
    [
      'has a time of another form',
      spdx({ creationInfo: { created: 'yesterday', creators: ['Tool: x'] } }),
      /created must/,
    ],
    [
      'has a creator of no kind',
      spdx({ creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['me'] } }),
      /creator must/,
    ],
    [
      'has a checksum without a value',
      spdx({
        packages: [{ SPDXID: 'SPDXRef-a', name: 'a', downloadLocation: 'NONE', checksums: [{ algorithm: 'SHA1' }] }],
      }),
      /checksumValue/,
    ],
  ])('has an error: it %s', async (_, document, message) => {
    expect((await errors(document)).join('\n')).toMatch(message)
  })
})
