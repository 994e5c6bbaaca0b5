import { findOrder } from '../versions/orders.ts'

/** How what a requirement asks for compares with a version: negative where it asks for an older one, 0 for the same; undefined where either is no version. */
export function compareRequirement(ecosystem: string, requirement: string, version: string): number | undefined {
  const order = findOrder(ecosystem)
  const asked = order?.parse(requirement.replace(/^[^0-9v]*/, ''))
  const wanted = order?.parse(version.replace(/^[^0-9v]*/, ''))
  return asked === undefined || wanted === undefined ? undefined : order!.compare(asked, wanted)
}
