import type { Expression } from './ir.ts'
import { getLastPart } from './sources.ts'

/** Comparisons in constant time, as programs make them of signatures. */
const COMPARES =
  /^(?:hash_equals|compare_digest|constant_time_compare|secure_compare|timingSafeEqual|isEqual|ConstantTimeCompare|FixedTimeEquals)$/

/** What makes a signature, by its name: a plain hash is made by anybody. */
const SIGNS = /hmac|(?:^|_)sign|Sign|^wp_hash$/

/** The texts of which a comparison says, where it holds, that the program itself once signed them: `hash_equals(hash_hmac('sha256', $x, $key), $given)`. */
export function listSigned(method: string, { args }: Expression & { kind: 'call' }): Expression[] {
  if (!COMPARES.test(method)) return []
  return args.flatMap(({ value }) => {
    if (value.kind !== 'call') return []
    const { callee } = value
    const name = callee.kind === 'member' || callee.kind === 'name' ? getLastPart(callee.name) : ''
    return SIGNS.test(name) ? value.args.map(argument => argument.value) : []
  })
}
