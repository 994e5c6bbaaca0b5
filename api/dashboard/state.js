import { get } from './api.js'

/** Runs shown in the history and the trend. */
const RUNS = 60

/** What the views share. A run is chosen by its id in the address; without one, the newest is shown. */
export const state = {
  /** Newest first. */
  runs: [],
  /** Why the stored runs could not be read, if so. */
  refusal: undefined,
}

export async function loadRuns() {
  try {
    state.runs = (await get('/api/audit/runs', { limit: RUNS })).runs
    state.refusal = undefined
  } catch (error) {
    if (error.code !== 'RUN_NOT_FOUND') throw error
    state.runs = []
  }
}

/** The run to show: the one that the address names, else the newest of the whole repository. */
export function shownRun(id) {
  return state.runs.find(run => run.id === id) ?? state.runs.find(run => run.scope === 'everything') ?? state.runs[0]
}

/** The run before it that looked at the same part of the repository. */
export function runBefore(run) {
  return state.runs.slice(state.runs.indexOf(run) + 1).find(other => other.scope === run.scope)
}
