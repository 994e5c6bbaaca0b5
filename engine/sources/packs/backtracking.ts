import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** How long the analysis of one expression may take. */
const TIMEOUT_MS = 1000

/** What is known of the time that an expression takes on a text that an attacker writes. */
export interface Backtracking {
  /** `exponential` grows without bound; `polynomial` at most is stopped by a scan's deadlines; `unknown` was not decided in time. */
  kind: 'linear' | 'polynomial' | 'exponential' | 'unknown'
  /** A text that shows it, shortened. */
  attack?: string
}

/** Judges an expression as textual rules run it (flags m, u and, where asked, i). It must compile. */
export async function checkBacktracking(
  source: string,
  ignoreCase: boolean,
  timeout = TIMEOUT_MS,
): Promise<Backtracking> {
  if (!hasAmbiguousLoop(source)) return { kind: 'polynomial' }
  const module = await import('recheck/lib/browser.js')
  // Node gives a CommonJS module as the default; a loader that transpiles may give its exports themselves.
  const recheck = module.default ?? (module as unknown as typeof module.default)
  const found = recheck.checkSync(source, ignoreCase ? 'imu' : 'mu', { timeout })
  if (found.status === 'safe') return { kind: 'linear' }
  if (found.status === 'unknown') return { kind: 'unknown' }
  return { kind: found.complexity.type, attack: found.attack.pattern.slice(0, 80) }
}

/**
 * Whether a repeated group could match one text in two ways: only then can an expression take exponential time. A body without choices,
 * variable quantifiers and backreferences matches in one way, and several such loops in a row take polynomial time at most.
 */
export function hasAmbiguousLoop(source: string): boolean {
  let isAmbiguous = false
  const complain = () => {
    isAmbiguous = true
  }
  try {
    visitRegExpAST(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }), {
      onQuantifierEnter({ element, max }) {
        if (max < 2 || (element.type !== 'Group' && element.type !== 'CapturingGroup')) return
        visitRegExpAST(element, {
          onGroupEnter: ({ alternatives }) => alternatives.length > 1 && complain(),
          onCapturingGroupEnter: ({ alternatives }) => alternatives.length > 1 && complain(),
          onAssertionEnter: assertion => 'alternatives' in assertion && assertion.alternatives.length > 1 && complain(),
          onQuantifierEnter: inner => inner.max > inner.min && complain(),
          onBackreferenceEnter: complain,
        })
      },
    })
  } catch {
    // What this parser does not read is judged by the other.
    return true
  }
  return isAmbiguous
}
