import { makeIssue } from './github-shapes.ts'
import type { GithubState } from './github-state.ts'
import type { Answer, Request, Route } from './server.ts'

type Answering = (request: Request, ...parts: string[]) => Answer

/** What the routes of the stand-in share. */
export interface Desk {
  state: GithubState
  list<T>(items: readonly T[], request: Request): Answer
  /** The address of the repository, with what follows. */
  at(path: string): RegExp
  missing: Answer
  invalid(message: string): Answer
  /** For who may push. */
  writes(answer: Answering): Answering
  /** For apps. */
  apps(answer: Answering): Answering
  nextId(): number
  url(): string
}

/** Issues of the repository. */
export function makeIssueRoutes({ state, list, at, missing, writes, nextId, url }: Desk): Route[] {
  return [
    [
      'GET',
      at('/issues'),
      request =>
        list(
          state.issues.map(one => makeIssue(one, url())),
          request,
        ),
    ],
    [
      'GET',
      at('/issues/([0-9]+)'),
      (_, number) => {
        const found = state.issues.find(one => one.number === Number(number))
        return found ? { status: 200, body: makeIssue(found, url()) } : missing
      },
    ],
    [
      'POST',
      at('/issues'),
      writes(({ body }) => {
        const { title, body: text = '', labels = [] } = body as { title: string; body?: string; labels?: string[] }
        const made = {
          number: nextId(),
          title,
          body: text,
          state: 'open',
          state_reason: null,
          labels,
          updated: '2026-01-01T00:00:00Z',
        }
        state.issues.push(made)
        return { status: 201, body: makeIssue(made, url()) }
      }),
    ],
    [
      'PATCH',
      at('/issues/([0-9]+)'),
      writes(({ body }, number) => {
        const found = state.issues.find(one => one.number === Number(number))
        if (!found) return missing
        Object.assign(found, body)
        return { status: 200, body: makeIssue(found, url()) }
      }),
    ],
  ]
}
