import { computed, signal } from '@preact/signals'
import type { Answers } from '../server/answers.gen.ts'
import { newestRun } from '../server/live.ts'
import { ask } from '../server/request.ts'
import { route } from './route.ts'

/** Runs that can be chosen. */
const RUNS = 60

export type RunSummary = Answers['GET /api/audit/runs']['runs'][number]

/** Newest first; undefined until they are known. */
export const runs = signal<readonly RunSummary[]>()
/** The run that is shown where the address names none; it stays while something newer comes, so that nothing moves under who reads. */
const reading = signal<string>()

/** Reads the runs, and shows the newest from now on. */
export async function loadRuns(): Promise<void> {
  runs.value = (await ask('GET /api/audit/runs', { limit: RUNS })).runs
  reading.value = newestOf(runs.value)?.id
}

/** The newest run of the whole repository, else the newest. */
function newestOf(list: readonly RunSummary[]): RunSummary | undefined {
  return list.find(run => run.scope === 'everything') ?? list[0]
}

/** The run of the address; undefined where it is not among the newest. Without one, the newest of the whole repository. */
export const shownRun = computed(() => {
  const id = route.value.query.get('run') ?? reading.value
  return runs.value?.find(run => run.id === id)
})

/** Whether the address names an earlier run than the one that would be shown without. */
export const isEarlier = computed(() => shownRun.value !== undefined && shownRun.value.id !== reading.value)

/** Whether the server told of a run that is not among those that were read. */
export const hasNewer = computed(
  () => newestRun.value !== undefined && !!runs.value && !runs.value.some(({ id }) => id === newestRun.value),
)

/** The run before it that looked at the same part of the repository. */
export function findRunBefore(run: RunSummary): RunSummary | undefined {
  const list = runs.value ?? []
  return list.slice(list.indexOf(run) + 1).find(other => other.scope === run.scope)
}
