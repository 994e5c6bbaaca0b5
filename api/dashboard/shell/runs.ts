import { computed, effect, signal } from '@preact/signals'
import type { Answers } from '../server/answers.gen.ts'
import { newestRun } from '../server/live.ts'
import { ask } from '../server/request.ts'
import { route } from './route.ts'

/** Runs of one request; the newest of them can be chosen at once. */
const PAGE = 60
/** Runs that one request can ask for. */
const MOST = 500

type Answer = Answers['GET /api/audit/runs']
export type RunSummary = Answer['runs'][number]

/** Newest first; undefined until they are known. */
export const runs = signal<readonly RunSummary[]>()
/** How many runs are stored, and those of them that cannot be read. */
export const stored = signal<Pick<Answer, 'total' | 'damaged'>>({ total: 0, damaged: [] })
/** Where the runs before those that are known begin; undefined where there are none. */
const next = signal<string>()
/** The run that is shown where the address names none; it stays while something newer comes, so that nothing moves under who reads. */
const reading = signal<string>()
/** The run of an address that is not among those that are known, or why it cannot be shown. */
export const sought = signal<{ id: string; run?: RunSummary; fault?: Error }>()

/** Reads the runs, as many as are known, and shows the newest from now on. */
export async function loadRuns(): Promise<void> {
  const answer = await ask('GET /api/audit/runs', {
    limit: Math.min(MOST, Math.max(PAGE, runs.value?.length ?? 0)),
  })
  keep(answer, answer.runs)
  reading.value = newestOf(answer.runs)?.id
}

/** Whether there are runs before those that are known. */
export const hasEarlier = computed(() => next.value !== undefined)

/** Reads the runs before those that are known. */
export async function loadEarlierRuns(): Promise<void> {
  const answer = await ask('GET /api/audit/runs', { limit: PAGE, cursor: next.value })
  keep(answer, [...(runs.value ?? []), ...answer.runs])
}

function keep({ total, damaged, next_cursor }: Answer, list: readonly RunSummary[]): void {
  stored.value = { total, damaged }
  next.value = next_cursor
  runs.value = list
}

/** The newest run of the whole repository, else the newest. */
function newestOf(list: readonly RunSummary[]): RunSummary | undefined {
  return list.find(run => run.scope === 'everything') ?? list[0]
}

const chosen = computed(() => route.value.query.get('run') ?? undefined)
const listed = computed(() => {
  const id = chosen.value ?? reading.value
  return runs.value?.find(run => run.id === id)
})

/** The run of the address; undefined where it is not known (yet). Without one, the newest of the whole repository. */
export const shownRun = computed(
  () => listed.value ?? (sought.value && sought.value.id === chosen.value ? sought.value.run : undefined),
)

/** Whether a run of the address is still being asked for. */
export const isSeeking = computed(
  () => chosen.value !== undefined && !listed.value && sought.value?.id !== chosen.value,
)

/** Asks for a run that the address names and that is not among the newest, as an old link does. */
effect(() => {
  const id = chosen.value
  if (!isSeeking.value || !runs.value || id === undefined) return
  ask('GET /api/audit/runs/{run_id}', { run_id: id, limit: 1 }).then(
    ({ run }) => {
      sought.value = { id, run }
    },
    (fault: Error) => {
      sought.value = { id, fault }
    },
  )
})

/** Whether the address names an earlier run than the one that would be shown without. */
export const isEarlier = computed(() => shownRun.value !== undefined && shownRun.value.id !== reading.value)

/** Whether the server told of a run that is not among those that were read. */
export const hasNewer = computed(
  () => newestRun.value !== undefined && !!runs.value && !runs.value.some(({ id }) => id === newestRun.value),
)

/** The run before it that looked at the same part of the repository, among those that are known. */
export function findRunBefore(run: RunSummary): RunSummary | undefined {
  const list = runs.value ?? []
  const at = list.findIndex(({ id }) => id === run.id)
  const earlier = at < 0 ? list.filter(other => other.started_at < run.started_at) : list.slice(at + 1)
  return earlier.find(other => other.scope === run.scope)
}

/** The runs that can be chosen: those that are known, and the one that is shown. */
export function listChoices(): readonly RunSummary[] {
  const list = runs.value ?? []
  const shown = shownRun.value
  return shown && !list.includes(shown) ? [...list, shown] : list
}
