/**
 * Stands in for ArkType in the shipped program: every property and call answers itself, so schema declarations cost
 * nothing to evaluate. What they declare is in schemas.gen.json.
 */
const erased: unknown = new Proxy(() => erased, { get: () => erased, apply: () => erased })

export const type = erased
export const scope = erased
