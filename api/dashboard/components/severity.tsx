import { count, SEVERITIES, type Severity } from '../format.ts'

/** A severity in its color. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return <span class={`badge ${severity}`}>{severity}</span>
}

/** How many there are of each severity, those without any left out. */
export function SeverityTally({ counts }: { counts: Readonly<Partial<Record<Severity, number>>> }) {
  return (
    <>
      {SEVERITIES.filter(severity => (counts[severity] ?? 0) > 0).map(severity => (
        <span key={severity} class={`badge ${severity}`}>
          {count(counts[severity]!)} {severity}
        </span>
      ))}
    </>
  )
}
