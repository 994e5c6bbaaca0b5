/** What a rule of the pack says in its file, by id; undefined for one that the pack does not have. */
export type RuleNamed = (id: string) => unknown

type Written = Record<string, unknown>

/**
 * A rule as its file says it, the sinks of another rule of the pack put in where one of its own says `of`, each with what stands beside
 * that. The fault names what is no taint rule, or takes its own sinks from a third one. Nothing else is judged here.
 */
export function resolveTakenSinks(data: unknown, named: RuleNamed): { data: unknown; fault?: string } {
  const sinks = sinksOf(data)
  if (!sinks?.some(takes)) return { data }
  const out: unknown[] = []
  for (const sink of sinks) {
    if (!takes(sink)) {
      out.push(sink)
      continue
    }
    const { of, ...own } = sink
    const other = sinksOf(named(of))
    if (!other) return { data, fault: `no taint rule ${of} in the pack to copy sinks from` }
    if (other.some(takes)) return { data, fault: `${of} copies its sinks from another rule itself; name that rule` }
    out.push(...other.map(taken => ({ ...(taken as Written), ...own })))
  }
  return { data: { ...(data as Written), sinks: out } }
}

/** Looks rules up among those of one pack as they were written. */
export function findRuleNamed(rules: readonly { data: unknown }[]): RuleNamed {
  const known = new Map(rules.map(({ data }) => [(data as Written | null)?.id, data]))
  return id => known.get(id)
}

function sinksOf(data: unknown): unknown[] | undefined {
  const sinks = (data as Written | null | undefined)?.sinks
  return Array.isArray(sinks) ? sinks : undefined
}

function takes(sink: unknown): sink is Written & { of: string } {
  return typeof (sink as Written | null)?.of === 'string'
}
