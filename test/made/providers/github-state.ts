import type { Answer } from './server.ts'

/** A check run as the stand-in keeps it. */
export interface CheckRun {
  id: number
  name: string
  head_sha: string
  external_id: string
  status: string
  conclusion: string | null
  title: string | null
  summary: string | null
  annotations: { path: string; start_line: number; message: string; title?: string }[]
}

/** What the stand-in's repository has. */
export interface GithubState {
  pulls: Pull[]
  comments: { id: number; number: number; body: string; at: number }[]
  reviews: {
    id: number
    number: number
    body: string
    path: string
    line: number
    start_line?: number
    resolved: boolean
  }[]
  checks: CheckRun[]
  statuses: { sha: string; state: string; context: string; description: string }[]
  issues: {
    number: number
    title: string
    body: string
    state: string
    state_reason: string | null
    labels: string[]
    updated: string
  }[]
  files: { number: number; filename: string; patch: string }[]
  /** A GitHub App, its installation here if there is one, and the token that the installation gets. */
  app?: { id: string; public_key: string; installation?: number; token: string }
  permissions: { pull: boolean; push: boolean; triage: boolean }
  /** Whose the token is: a person's with scopes, or an app's, which alone writes check runs. */
  token: { kind: 'person' | 'app'; scopes?: string }
}

export interface Pull {
  number: number
  title: string
  body: string
  state: string
  head: string
  head_sha: string
  base: string
  fork?: boolean
}

/** Whether a patch has the line after the change. */
export function isInPatch(patch: string, line: number): boolean {
  let at = 0
  for (const text of patch.split('\n')) {
    const hunk = /\+([0-9]+)/.exec(text.startsWith('@@') ? text : '')
    if (hunk) at = Number(hunk[1])
    else if (text.startsWith('+') || text.startsWith(' ')) if (at++ === line) return true
  }
  return false
}

/** Answers the two queries that svc sends. */
export function answerGraphql(state: GithubState, body: Record<string, unknown>): Answer {
  const { query, variables } = body as { query: string; variables: { number?: number; id?: string } }
  if (query.startsWith('mutation')) {
    const found = state.reviews.find(one => `thread-${one.id}` === variables.id)
    if (found) found.resolved = true
    return { status: 200, body: { data: { resolveReviewThread: { thread: { isResolved: true } } } } }
  }
  const nodes = state.reviews
    .filter(one => one.number === variables.number)
    .map(one => ({ id: `thread-${one.id}`, isResolved: one.resolved, comments: { nodes: [{ databaseId: one.id }] } }))
  const pageInfo = { hasNextPage: false, endCursor: null }
  return { status: 200, body: { data: { repository: { pullRequest: { reviewThreads: { nodes, pageInfo } } } } } }
}
