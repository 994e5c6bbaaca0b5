import { toToken } from './values.ts'

/** How a framework's own OSCAL catalog names a control, and the part of it that states what is required. */
interface Catalog {
  /** Where the catalog is published. */
  href: string
  toId: (control: string) => string
  toStatement: (id: string) => string
}

const CONTENT = 'https://raw.githubusercontent.com/usnistgov/oscal-content/main/nist.gov'

/** Catalogs that NIST publishes as OSCAL, by the id of our framework. */
const CATALOGS: Readonly<Record<string, Catalog>> = {
  'nist-800-53-r5': {
    href: `${CONTENT}/SP800-53/rev5/json/NIST_SP-800-53_rev5_catalog.json`,
    // AC-17(2) is ac-17.2.
    toId: control => control.toLowerCase().replace(/\((\d+)\)/g, '.$1'),
    toStatement: id => `${id}_smt`,
  },
  'nist-csf-2-0': {
    href: `${CONTENT}/CSF/v2.0/json/NIST_CSF_v2.0_catalog.json`,
    toId: control => control,
    toStatement: id => `${id}_statement`,
  },
  'nist-ssdf-1-1': {
    href: `${CONTENT}/SP800-218/ver1/json/NIST_SP800-218_ver1_catalog.json`,
    toId: control => control,
    toStatement: id => `statement_${id}`,
  },
}

/** A control as OSCAL documents name it. */
export interface OscalControl {
  id: string
  /** What a finding is about. */
  target: { type: 'statement-id' | 'objective-id'; 'target-id': string }
}

/** The id of a control by its framework's OSCAL catalog; where none is published, its id as an OSCAL token, which is ours. */
export function nameControl(framework: string, control: string): OscalControl {
  const catalog = findCatalog(framework)
  if (!catalog) {
    const id = toToken(control)
    return { id, target: { type: 'objective-id', 'target-id': id } }
  }
  const id = catalog.toId(control)
  return { id, target: { type: 'statement-id', 'target-id': catalog.toStatement(id) } }
}

/** Says whose the control ids of a framework are: the address of its catalog, or `svc`. */
export function describeControlIds(framework: string): string {
  return findCatalog(framework)?.href ?? 'svc'
}

function findCatalog(framework: string): Catalog | undefined {
  return Object.hasOwn(CATALOGS, framework) ? CATALOGS[framework] : undefined
}
