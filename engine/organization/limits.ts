/** What the scan of one repository may take, where that is less than a worker allows. */
export interface RepositoryLimits {
  /** Minutes that fetching, and scanning, may take. */
  minutes?: number
  /** The largest size of its mirror, in MB. */
  repository_mb?: number
}

/** The least and the largest value of each. */
export const LIMIT_RANGES: Readonly<Record<keyof RepositoryLimits, readonly [least: number, most: number]>> = {
  minutes: [1, 1440],
  repository_mb: [1, 10_000_000],
}
export const LIMIT_NAMES = Object.keys(LIMIT_RANGES) as (keyof RepositoryLimits)[]

/** Why a value is no limit of this name; undefined where it is one. */
export function findLimitFault(name: keyof RepositoryLimits, value: unknown): string | undefined {
  const [least, most] = LIMIT_RANGES[name]
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return undefined
  return `${name} must be a whole number from ${least} to ${most}.`
}

/** The smallest of the limits, name by name. */
export function joinLimits(all: readonly (RepositoryLimits | undefined)[]): RepositoryLimits {
  const joined: RepositoryLimits = {}
  for (const name of LIMIT_NAMES) {
    const given = all.flatMap(limits => limits?.[name] ?? [])
    if (given.length > 0) joined[name] = Math.min(...given)
  }
  return joined
}
