import type { Detector } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { runMemory } from './rules.ts'

/** What functions of C and C++ do wrong with memory. One run over a text serves all the rules. */
export default {
  type: 'memory',
  reach: 'severe',
  views: 'code',
  parses: true,
  evidence: 'flow',
  identity: 'code',
  part: 'memory',

  begin(searched) {
    const admitted: number[] = []
    const run = (): RawMatch[] => runMemory(searched, admitted)
    return {
      admit: index => (admitted.push(index) === 1 ? { rules: admitted, parses: true, run } : undefined),
    }
  },
} satisfies Detector
