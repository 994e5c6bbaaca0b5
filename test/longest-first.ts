import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take half a minute and more, the longest first. What is long and begins last would run alone at the end, on one processor.
 */
const LONGEST = [
  'attack/attack.process',
  'docs/commands.process',
  'scripts/pack.process',
  'scripts/release.process',
  'governance/rollback.process',
  'scan/kept.process',
  'gate/linked-settings.process',
  'scan/cache.process',
  'robustness/soak.process',
  'robustness/parser-crash.process',
  'ops/gate/change-weakens.process',
  'robustness/interrupts.process',
  'robustness/disk.process',
  'governance/sealed.process',
  'sources/packs/lint.long',
  'governance/rollback-generated.process',
  'sources/repository/hostile-git.process',
  'scan/shard.process',
  'sources/packs/web-rules.long',
  'robustness/load.process',
  'external/run.process',
]

/** Runs the longest files first, and the others in vitest's own order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
      return found === -1 ? LONGEST.length : found
    }
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}
