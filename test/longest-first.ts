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

/** The projects in the order in which they run: what has the shortest files comes last, so that both processors end together. */
const PROJECTS = ['browser', 'process', 'long', 'unit']

/**
 * Runs one project behind the other, of each the longest files first and the others in vitest's own order. A process runs the next file only where
 * that is of the same project: with projects mixed, each file would load the engine anew.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
      return found === -1 ? LONGEST.length : found
    }
    const order = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return sorted.sort((a, b) => order(a) - order(b) || rank(a) - rank(b))
  }
}
