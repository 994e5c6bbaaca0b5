import { asFields, asText, listOf, textsOf } from './read-osv.ts'
import type { VexStatement } from './vex.ts'

type Fields = Record<string, unknown>

/** CSAF's lists of products by status, in the words of OpenVEX. */
const STATUSES: readonly (readonly [string, VexStatement['status']])[] = [
  ['known_not_affected', 'not_affected'],
  ['known_affected', 'affected'],
  ['first_affected', 'affected'],
  ['last_affected', 'affected'],
  ['fixed', 'fixed'],
  ['first_fixed', 'fixed'],
  ['under_investigation', 'under_investigation'],
]

/** Branches of a product tree that are read, and how deep. */
const MOST_BRANCHES = 100_000
const MOST_DEPTH = 50

/** Statements of a CSAF 2.0 document. Products are named by their package URLs, else by their ids; a relationship is a component in a product. */
export function readCsaf(
  document: Fields,
  file: string,
  refuse: (file: string, message: string) => Error,
): VexStatement[] {
  const products = readProducts(asFields(document.product_tree) ?? {})
  const tracking = asFields(asFields(document.document)?.tracking)
  const timestamp = asText(tracking?.current_release_date) ?? ''
  return listOf(document.vulnerabilities).flatMap((value, index) => {
    const fields = asFields(value)
    const ids = [fields?.cve, ...listOf(fields?.ids).map(one => asFields(one)?.text)].flatMap(one => asText(one) ?? [])
    if (ids.length === 0) throw refuse(file, `Vulnerability ${index + 1} has neither cve nor ids.`)
    const status = asFields(fields?.product_status)
    if (!status) throw refuse(file, `Vulnerability ${ids[0]} has no product_status.`)
    return STATUSES.flatMap(([list, said]) =>
      textsOf(status[list]).map((product): VexStatement => {
        const known = products.get(product)
        return {
          ids,
          status: said,
          products: known?.products ?? [product],
          subcomponents: known?.subcomponents ?? [],
          justification: explain(fields!, product),
          timestamp,
          file,
        }
      }),
    )
  })
}

interface Product {
  products: string[]
  subcomponents: string[]
}

function readProducts(tree: Fields): Map<string, Product> {
  const found = new Map<string, Product>()
  const add = (value: unknown) => {
    const fields = asFields(value)
    const id = asText(fields?.product_id)
    if (id === undefined) return
    const helper = asFields(fields?.product_identification_helper)
    const purls = [asText(helper?.purl), ...textsOf(helper?.purls)].flatMap(one => one ?? [])
    found.set(id, { products: purls.length > 0 ? purls : [asText(fields?.name) ?? id, id], subcomponents: [] })
  }
  for (const product of listOf(tree.full_product_names)) add(product)
  const waiting = listOf(tree.branches).map(branch => ({ branch, depth: 0 }))
  for (let i = 0; i < waiting.length && i < MOST_BRANCHES; i++) {
    const fields = asFields(waiting[i]!.branch)
    add(fields?.product)
    if (waiting[i]!.depth < MOST_DEPTH)
      for (const branch of listOf(fields?.branches)) waiting.push({ branch, depth: waiting[i]!.depth + 1 })
  }
  for (const value of listOf(tree.relationships)) {
    const fields = asFields(value)
    const id = asText(asFields(fields?.full_product_name)?.product_id)
    const inner = found.get(asText(fields?.product_reference) ?? '')
    const outer = found.get(asText(fields?.relates_to_product_reference) ?? '')
    if (id !== undefined && inner && outer) found.set(id, { products: outer.products, subcomponents: inner.products })
  }
  return found
}

/** Flags and impact statements that name the product. */
function explain(vulnerability: Fields, product: string): string {
  const about = (list: unknown) =>
    listOf(list)
      .map(asFields)
      .filter(one => one && (one.product_ids === undefined || textsOf(one.product_ids).includes(product)))
  const flags = about(vulnerability.flags).flatMap(one => asText(one!.label) ?? [])
  const impacts = about(vulnerability.threats)
    .filter(one => one!.category === 'impact')
    .flatMap(one => asText(one!.details) ?? [])
  return [...flags, ...impacts].join(': ')
}
