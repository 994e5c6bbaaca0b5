import type { Hash, Scope } from '../inventory/component.ts'
import type { Bill } from './bill.ts'
import { formatTime, isLocation, makeIds } from './spdx.ts'

const ALGORITHMS: Record<Hash['algorithm'], string> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'BLAKE2b-256': 'blake2b256',
}

const SCOPES: Partial<Record<Scope, string>> = { production: 'runtime', development: 'development', test: 'test' }

/** Writes a bill of materials as SPDX 3.0.1 in JSON-LD, by the text of the specification's Core and Software profiles. */
export function writeSpdx3(bill: Bill): string {
  const base = `https://spdx.org/spdxdocs/${encodeURIComponent(bill.root.name)}-${bill.uuid}`
  const names = makeIds([bill.root.id, ...bill.projects.map(({ id }) => id), ...bill.components.map(({ id }) => id)])
  const idOf = (id: string) => `${base}#${names.get(id)!}`
  const common = { creationInfo: '_:creation' }
  const [tool, root, document, sbom] = [`${base}#tool`, idOf(bill.root.id), `${base}#document`, `${base}#sbom`]
  const own = [bill.root, ...bill.projects].map(({ id, name, version }) => ({
    ...{ type: 'software_Package', spdxId: idOf(id), ...common, name, software_primaryPurpose: 'application' },
    ...(version !== undefined && { software_packageVersion: version }),
  }))
  const packages = bill.components.map(({ id, name, version, purl, resolved, hashes, locations, kind }) => ({
    ...{ type: 'software_Package', spdxId: idOf(id), ...common, name },
    software_primaryPurpose:
      kind === 'container' ? 'container' : kind === 'source' ? 'source' : kind === 'library' ? 'library' : 'other',
    ...(version !== undefined && { software_packageVersion: version }),
    ...(purl !== undefined && { software_packageUrl: purl }),
    ...(isLocation(resolved) && { software_downloadLocation: resolved }),
    ...(hashes.length > 0 && {
      verifiedUsing: hashes.map(({ algorithm, value }) => ({
        type: 'Hash',
        algorithm: ALGORITHMS[algorithm],
        hashValue: value,
      })),
    }),
    software_sourceInfo: `named in ${locations.map(({ file, line }) => (line === undefined ? file : `${file}:${line}`)).join(', ')}`,
  }))
  const scopes = new Map(bill.components.map(({ id, scope }) => [id, scope]))
  const relationships = [...bill.dependencies].flatMap(([from, needed]) => {
    const byScope = new Map<string | undefined, string[]>()
    for (const to of needed) {
      const scope = SCOPES[scopes.get(to) ?? 'unknown']
      byScope.set(scope, [...(byScope.get(scope) ?? []), idOf(to)])
    }
    return [...byScope].map(([scope, to]) => ({
      type: scope === undefined ? 'Relationship' : 'LifecycleScopedRelationship',
      spdxId: `${idOf(from)}-depends-${scope ?? 'on'}`,
      ...{ ...common, from: idOf(from), relationshipType: 'dependsOn', to },
      ...(scope !== undefined && { scope }),
      completeness: bill.isComplete ? 'noAssertion' : 'incomplete',
    }))
  })
  const elements = [...own, ...packages, ...relationships]
  const graph = [
    {
      type: 'CreationInfo',
      '@id': '_:creation',
      specVersion: '3.0.1',
      created: formatTime(bill.created),
      createdBy: [tool],
    },
    { type: 'SoftwareAgent', spdxId: tool, ...common, name: `${bill.tool.name}-${bill.tool.version}` },
    {
      type: 'SpdxDocument',
      spdxId: document,
      ...common,
      name: bill.root.name,
      profileConformance: ['core', 'software'],
      rootElement: [sbom],
      dataLicense: 'https://spdx.org/licenses/CC0-1.0',
    },
    {
      type: 'software_Sbom',
      spdxId: sbom,
      ...common,
      software_sbomType: ['source'],
      rootElement: [root],
      element: elements.map(({ spdxId }) => spdxId),
    },
    ...elements,
  ]
  return `${JSON.stringify({ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': graph }, null, 2)}\n`
}
