import { createHash } from 'node:crypto'
import { VERSION } from '../../base/version.ts'
import type { Vulnerability, VulnerabilityReport } from './vulnerability.ts'

/** Formats of VEX documents that are written. */
export const VEX_FORMATS = ['openvex', 'cyclonedx', 'csaf'] as const
export type VexFormat = (typeof VEX_FORMATS)[number]

export interface VexOptions {
  /** Who says it: a person or an organization. */
  author: string
  /** The repository's name. */
  name: string
  now: Date
}

/** What is said of a vulnerability, in OpenVEX's words. */
interface Statement {
  status: 'not_affected' | 'affected' | 'fixed' | 'under_investigation'
  /** Why it is not affected. */
  impact?: string
  /** What is done about it. */
  action?: string
}

/**
 * What the report says of each vulnerability: a dismissal by VEX as it was said; an accepted one is affected, with the reason; an open one is under
 * investigation unless somebody said that it is affected: that a version is in a range shows no more.
 */
function decide({ dismissal, vex_status, fixed_versions, package: name }: Vulnerability): Statement {
  const fix = fixed_versions[0]
  if (dismissal?.by === 'vex')
    return dismissal.status === 'fixed'
      ? { status: 'fixed' }
      : { status: 'not_affected', impact: dismissal.reason || `stated in ${dismissal.file}` }
  if (dismissal?.by === 'ignore')
    return {
      status: 'affected',
      action: `Accepted${dismissal.expires === undefined ? '' : ` until ${dismissal.expires}`}: ${dismissal.reason}`,
    }
  if (vex_status === 'affected')
    return {
      status: 'affected',
      action: fix === undefined ? 'No fixed version is known.' : `Update ${name} to ${fix}.`,
    }
  return { status: 'under_investigation' }
}

/** A VEX document about the vulnerabilities of a report, open and dismissed ones. The same report and time give the same document. */
export function writeVex(report: VulnerabilityReport, format: VexFormat, options: VexOptions): string {
  const known = report.vulnerabilities.filter(({ purl }) => purl !== undefined)
  const write = { openvex: writeOpenVex, cyclonedx: writeCycloneDx, csaf: writeCsaf }[format]
  return `${JSON.stringify(write(known, options), null, 2)}\n`
}

const cveOf = ({ id, aliases }: Vulnerability) => [id, ...aliases].find(one => /^CVE-\d{4}-\d{4,}$/.test(one))

function makeDigest(vulnerabilities: readonly Vulnerability[], { author, name }: VexOptions): string {
  const said = vulnerabilities.map(one => [one.id, one.purl, decide(one)])
  return createHash('sha256')
    .update(JSON.stringify([author, name, said]))
    .digest('hex')
}

function writeOpenVex(vulnerabilities: readonly Vulnerability[], options: VexOptions): object {
  const timestamp = options.now.toISOString()
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:svc:vex:${makeDigest(vulnerabilities, options)}`,
    author: options.author,
    timestamp,
    version: 1,
    tooling: `svc ${VERSION}`,
    statements: vulnerabilities.map(one => {
      const { status, impact, action } = decide(one)
      return {
        vulnerability: {
          name: cveOf(one) ?? one.id,
          aliases: [one.id, ...one.aliases].filter(id => id !== (cveOf(one) ?? one.id)),
        },
        products: [{ '@id': one.purl!, identifiers: { purl: one.purl! } }],
        status,
        ...(impact !== undefined && { impact_statement: impact }),
        ...(action !== undefined && { action_statement: action }),
      }
    }),
  }
}

const STATES = {
  not_affected: 'not_affected',
  affected: 'exploitable',
  fixed: 'resolved',
  under_investigation: 'in_triage',
} as const

function writeCycloneDx(vulnerabilities: readonly Vulnerability[], options: VexOptions): object {
  const components = new Map(vulnerabilities.map(one => [one.purl!, one]))
  const hex = makeDigest(vulnerabilities, options)
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    version: 1,
    metadata: {
      timestamp: options.now.toISOString(),
      tools: { components: [{ type: 'application', name: 'svc', version: VERSION }] },
      authors: [{ name: options.author }],
      component: { type: 'application', 'bom-ref': 'repository', name: options.name },
    },
    components: [...components].map(([purl, one]) => ({
      ...{ type: 'library', 'bom-ref': purl, name: one.package, version: one.version, purl },
    })),
    vulnerabilities: vulnerabilities.map(one => {
      const { status, impact, action } = decide(one)
      const detail = impact ?? action
      return {
        'bom-ref': `${one.id}/${one.purl}`,
        id: cveOf(one) ?? one.id,
        references: [one.id, ...one.aliases]
          .filter(id => id !== (cveOf(one) ?? one.id))
          .map(id => ({ id, source: { name: id.split('-')[0]! } })),
        description: one.summary,
        analysis: { state: STATES[status], ...(detail !== undefined && { detail }) },
        affects: [{ ref: one.purl! }],
      }
    }),
  }
}

const LISTS = {
  not_affected: 'known_not_affected',
  affected: 'known_affected',
  fixed: 'fixed',
  under_investigation: 'under_investigation',
} as const

/** CSAF 2.0, profile VEX. */
function writeCsaf(vulnerabilities: readonly Vulnerability[], options: VexOptions): object {
  const date = options.now.toISOString()
  const products = new Map(vulnerabilities.map(one => [one.purl!, one]))
  const digest = makeDigest(vulnerabilities, options)
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: `Vulnerabilities of dependencies of ${options.name}`,
      publisher: {
        category: 'vendor',
        name: options.author,
        namespace: `urn:svc:author:${encodeURIComponent(options.author)}`,
      },
      tracking: {
        id: `svc-${digest.slice(0, 16)}`,
        status: 'final',
        version: '1',
        initial_release_date: date,
        current_release_date: date,
        revision_history: [{ number: '1', date, summary: 'First version.' }],
        generator: { engine: { name: 'svc', version: VERSION }, date },
      },
    },
    product_tree: {
      full_product_names: [...products].map(([purl, one]) => ({
        product_id: purl,
        name: `${one.package} ${one.version}`,
        product_identification_helper: { purl },
      })),
    },
    vulnerabilities: vulnerabilities.map(one => {
      const { status, impact, action } = decide(one)
      const cve = cveOf(one)
      const product_ids = [one.purl!]
      const others = [one.id, ...one.aliases].filter(id => id !== cve)
      return {
        ...(cve !== undefined && { cve }),
        ...(others.length > 0 && { ids: others.map(text => ({ system_name: text.split('-')[0]!, text })) }),
        notes: [{ category: 'description', text: one.summary || `${one.id} affects this version.` }],
        product_status: { [LISTS[status]]: product_ids },
        ...(impact !== undefined && { threats: [{ category: 'impact', details: impact, product_ids }] }),
        ...(action !== undefined && { remediations: [{ category: 'mitigation', details: action, product_ids }] }),
      }
    }),
  }
}
