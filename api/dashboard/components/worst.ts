import { SEVERITIES } from '../format.ts'

/** A number that rises with a severity, to sort by; undefined for one that is unknown. */
export function rankOf(severity: string): number | undefined {
  const at = (SEVERITIES as readonly string[]).indexOf(severity)
  return at < 0 ? undefined : SEVERITIES.length - at
}
