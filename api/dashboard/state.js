import { get } from './api.js'

/** Runs shown in the history and the trend. */
const RUNS = 60

/** What the views share. A run is chosen by its id in the address; without one, the newest is shown. */
export const state = {
  /** Newest first. */
  runs: [],
}

export async function loadRuns() {
  try {
    state.runs = (await get('/api/audit/runs', { limit: RUNS })).runs
  } catch (error) {
    if (error.code !== 'RUN_NOT_FOUND') throw error
    state.runs = []
  }
}

/** The run with this id, undefined where it is not among the newest; without one, the newest of the whole repository. */
export function shownRun(id) {
  if (id) return state.runs.find(run => run.id === id)
  return state.runs.find(run => run.scope === 'everything') ?? state.runs[0]
}

/** The run before it that looked at the same part of the repository. */
export function runBefore(run) {
  return state.runs.slice(state.runs.indexOf(run) + 1).find(other => other.scope === run.scope)
}
