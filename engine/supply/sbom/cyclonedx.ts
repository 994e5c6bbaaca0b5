import {
  ComponentScope,
  ComponentType,
  ExternalReferenceType,
  HashAlgorithm,
  LicenseAcknowledgement,
  LifecyclePhase,
} from '@cyclonedx/cyclonedx-library/Enums'
import * as Models from '@cyclonedx/cyclonedx-library/Models'
import * as Serialize from '@cyclonedx/cyclonedx-library/Serialize'
import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX'
import * as Spec from '@cyclonedx/cyclonedx-library/Spec'
import type { Component, ComponentKind } from '../inventory/component.ts'
import { type Bill, listUnknown } from './bill.ts'

export const CYCLONEDX_VERSIONS = ['1.4', '1.5', '1.6', '1.7'] as const
export type CyclonedxVersion = (typeof CYCLONEDX_VERSIONS)[number]

const SPECS = { '1.4': Spec.Spec1dot4, '1.5': Spec.Spec1dot5, '1.6': Spec.Spec1dot6, '1.7': Spec.Spec1dot7 }

const TYPES: Record<ComponentKind, ComponentType> = {
  library: ComponentType.Library,
  application: ComponentType.Application,
  container: ComponentType.Container,
  action: ComponentType.Application,
  module: ComponentType.Library,
  hook: ComponentType.Application,
  source: ComponentType.Library,
}

/** Writes a bill of materials as CycloneDX, in JSON or XML. Everything is sorted beforehand: the same bill gives the same bytes. */
export function writeCyclonedx(bill: Bill, version: CyclonedxVersion, encoding: 'json' | 'xml'): string {
  const bom = makeBom(bill)
  const spec = SPECS[version]
  const options = { sortLists: false, space: 2 }
  if (encoding === 'xml')
    return new Serialize.XmlSerializer(new Serialize.XML.Normalize.Factory(spec)).serialize(bom, options)
  const normalized = new Serialize.JSON.Normalize.Factory(spec)
    .makeForBom()
    .normalize(bom, { sortLists: false }) as unknown as Record<string, unknown>
  // The library has no model of what is known to be complete.
  const aggregate = bill.isComplete ? 'unknown' : 'incomplete'
  normalized.compositions = [{ aggregate, assemblies: [bill.root.id], dependencies: [bill.root.id] }]
  const schema = `http://cyclonedx.org/schema/bom-${version}.schema.json`
  const { $schema: _, ...rest } = normalized
  return `${JSON.stringify({ $schema: schema, ...rest }, null, 2)}\n`
}

function makeBom(bill: Bill): Models.Bom {
  const root = new Models.Component(ComponentType.Application, bill.root.name, {
    bomRef: bill.root.id,
    version: bill.root.version,
    licenses: readLicense(bill.root.license),
  })
  const nodes = new Map<string, Models.Component>([[bill.root.id, root]])
  for (const project of bill.projects) {
    const { id, name, version, license, file } = project
    const properties = new Models.PropertyRepository([new Models.Property('svc:manifest', file)])
    nodes.set(
      id,
      new Models.Component(ComponentType.Application, name, {
        bomRef: id,
        version,
        licenses: readLicense(license),
        properties,
      }),
    )
  }
  for (const component of bill.components) nodes.set(component.id, makeComponent(component))
  for (const [id, needed] of bill.dependencies) {
    const node = nodes.get(id)
    for (const other of needed) {
      const target = nodes.get(other)
      if (target) node?.dependencies.add(target.bomRef)
    }
  }
  const inside = [...nodes.values()].slice(1)
  const tool = new Models.Component(ComponentType.Application, bill.tool.name, { version: bill.tool.version })
  const metadata = new Models.Metadata({
    timestamp: bill.created,
    lifecycles: new Models.LifecycleRepository([LifecyclePhase.PreBuild]),
    tools: new Models.Tools({ components: new Models.ComponentRepository([tool]) }),
    component: root,
  })
  return new Models.Bom({
    serialNumber: `urn:uuid:${bill.uuid}`,
    metadata,
    components: new Models.ComponentRepository(inside),
  })
}

function makeComponent(component: Component): Models.Component {
  const { ecosystem, name, version, purl, kind, scope } = component
  const cut = ecosystem === 'Maven' ? name.indexOf(':') : name.startsWith('@') ? name.indexOf('/') : -1
  const properties = [
    new Models.Property('svc:ecosystem', ecosystem),
    new Models.Property('svc:scope', scope),
    ...(component.requirement === undefined ? [] : [new Models.Property('svc:requirement', component.requirement)]),
    ...component.locations.map(
      ({ file, line }) => new Models.Property('svc:location', line === undefined ? file : `${file}:${line}`),
    ),
    new Models.Property('svc:unknown', listUnknown(component).join(' ')),
  ]
  return new Models.Component(TYPES[kind], name.slice(cut + 1), {
    ...(cut > 0 && { group: name.slice(0, cut) }),
    ...{ bomRef: component.id, version, purl, scope: readScope(component) },
    hashes: new Models.HashDictionary(firstOfEach(component)),
    licenses: readLicense(component.license),
    externalReferences: listReferences(component),
    properties: new Models.PropertyRepository(properties),
  })
}

/** CycloneDX has one digest for each algorithm; of a package with several files, which one it is of is not known. */
function firstOfEach({ hashes }: Component): [HashAlgorithm, string][] {
  const algorithms = new Map<string, string[]>()
  for (const { algorithm, value } of hashes) algorithms.set(algorithm, [...(algorithms.get(algorithm) ?? []), value])
  const known = new Set<string>(Object.values(HashAlgorithm))
  return [...algorithms].flatMap(([algorithm, values]) =>
    values.length === 1 && known.has(algorithm) ? [[algorithm as HashAlgorithm, values[0]!]] : [],
  )
}

function listReferences({ resolved }: Component): Models.ExternalReferenceRepository {
  const references: Models.ExternalReference[] = []
  if (resolved !== undefined && /^[a-z][a-z0-9+.-]*:\/\/[^\s<>"{}|\\^`]+$/i.test(resolved)) {
    const isGit = /^(git|ssh)[+:]|\.git(#|$)/.test(resolved)
    references.push(
      new Models.ExternalReference(resolved, isGit ? ExternalReferenceType.VCS : ExternalReferenceType.Distribution),
    )
  }
  return new Models.ExternalReferenceRepository(references)
}

function readScope({ scope }: Component): ComponentScope | undefined {
  if (scope === 'unknown') return undefined
  if (scope === 'production') return ComponentScope.Required
  return scope === 'optional' ? ComponentScope.Optional : ComponentScope.Excluded
}

/** An id or expression of SPDX where the text is one, else a name: never a guess. */
function readLicense(license: string | undefined): Models.LicenseRepository {
  if (license === undefined) return new Models.LicenseRepository()
  const made = isSupportedSpdxId(license)
    ? new Models.SpdxLicense(license)
    : isExpression(license)
      ? new Models.LicenseExpression(license)
      : new Models.NamedLicense(license)
  made.acknowledgement = LicenseAcknowledgement.Declared
  return new Models.LicenseRepository([made])
}

/** Ids of SPDX, joined by AND, OR and WITH, in balanced brackets. */
export function isExpression(text: string): boolean {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? []
  let [depth, wants] = [0, 'operand' as 'operand' | 'operator']
  for (const [at, token] of tokens.entries()) {
    if (token === '(') {
      if (wants !== 'operand' || ++depth > 50) return false
    } else if (token === ')') {
      if (wants !== 'operator' || --depth < 0) return false
    } else if (/^(AND|OR|WITH)$/.test(token)) {
      if (wants !== 'operator') return false
      wants = 'operand'
    } else {
      const isException = tokens[at - 1] === 'WITH'
      if (
        wants !== 'operand' ||
        !(isException
          ? /^[\w.-]+$/.test(token)
          : isSupportedSpdxId(token.replace(/\+$/, '')) || /^LicenseRef-[\w.-]+$/.test(token))
      )
        return false
      wants = 'operator'
    }
  }
  return depth === 0 && wants === 'operator' && tokens.length > 1
}
