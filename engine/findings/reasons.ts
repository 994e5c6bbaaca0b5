/** Counts by reason for a person: `10 generated, 2 minified`. Reasons that do not occur are left out. */
export function listReasons(counts: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(counts)
    .flatMap(([reason, count]) => (count ? `${count} ${reason.replaceAll('_', ' ')}` : []))
    .join(', ')
}
