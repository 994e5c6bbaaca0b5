/** The providers of repositories, pull requests and work items; Jira has work items only. */
export const PROVIDERS = ['github', 'gitlab', 'azure', 'jira'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** A comment below a pull request. */
export interface PullRequestComment {
  id: string
  body: string
}

/** A comment on a line of a pull request. */
export interface ReviewComment {
  /** What the provider resolves or edits. */
  id: string
  body: string
  path: string
  /** Line after the change; absent where the line is gone. */
  line?: number
  resolved: boolean
}

/** A review comment to write. Lines after the change; `start_line` where it covers several. */
export interface NewReviewComment {
  path: string
  start_line?: number
  line: number
  body: string
}

export interface PullRequest {
  number: number
  title: string
  url: string
  state: 'open' | 'closed'
  head_sha: string
  head_branch: string
  base_sha?: string
  base_branch: string
  /** The head is a branch of another repository, for which the token of this one is often read-only. */
  is_fork: boolean
  body: string
}

/** A line of a check's annotations. */
export interface Annotation {
  path: string
  line: number
  end_line: number
  level: 'failure' | 'warning' | 'notice'
  title: string
  message: string
}

/** What is said of a commit. */
export interface CommitCheck {
  sha: string
  /** Name of the check, constant for a project. */
  name: string
  passed: boolean
  title: string
  /** Markdown. */
  summary: string
  url?: string
  /** In the order in which they matter. */
  annotations: readonly Annotation[]
}

/** How a check was set: by a check run with annotations, or by a commit status, which has none. */
export interface SetCheck {
  kind: 'check_run' | 'commit_status'
  annotations: number
}

/** What a token may do; `unknown` is what the provider does not tell without trying. */
export type Ability = 'yes' | 'no' | 'unknown'

/** Result of a connection test. */
export interface Abilities {
  /** Login or name of the account. */
  account?: string
  read_repository: Ability
  comment: Ability
  set_status: Ability
  write_checks: Ability
  push: Ability
  create_pull_request: Ability
  read_work_items: Ability
  write_work_items: Ability
  /** Scopes as the provider names them. */
  scopes?: string[]
}

/** A work item (issue, ticket, story) of a provider. */
export interface WorkItem {
  key: string
  title: string
  /** The provider's own word for the state. */
  state: string
  type: string
  url: string
  description: string
  labels: string[]
  parent?: string
  updated: string
  /** What changes with each edit. */
  revision: string
}

export interface NewPullRequest {
  title: string
  body: string
  head: string
  base: string
}

/**
 * What svc does with work items. Lists read every page, up to `MOST_ITEMS`. Every method throws a ProviderFailure.
 */
export interface WorkItemProvider {
  readonly name: ProviderName
  /** Tests the token; throws only where there is no answer at all. */
  test(): Promise<Abilities>
  listWorkItems(): Promise<WorkItem[]>
  readWorkItem(key: string): Promise<WorkItem | undefined>
  createWorkItem(item: { title: string; description: string; labels: readonly string[] }): Promise<WorkItem>
  setWorkItemState(key: string, state: string): Promise<void>
  close(): Promise<void>
}

/** What svc does with repositories, in addition. */
export interface CodeProvider extends WorkItemProvider {
  readPullRequest(number: number): Promise<PullRequest>
  /** The open pull request of a branch of this repository; with `any` a closed one too, where none is open. */
  findPullRequest(head: string, base?: string, state?: 'open' | 'any'): Promise<PullRequest | undefined>
  createPullRequest(request: NewPullRequest): Promise<PullRequest>
  updatePullRequest(number: number, change: { title: string; body: string }): Promise<void>
  listComments(number: number): Promise<PullRequestComment[]>
  createComment(number: number, body: string): Promise<void>
  updateComment(number: number, id: string, body: string): Promise<void>
  deleteComment(number: number, id: string): Promise<void>
  listReviewComments(number: number): Promise<ReviewComment[]>
  createReviewComment(pull: PullRequest, comment: NewReviewComment): Promise<void>
  /** Marks a review comment as resolved; `body` is what stands there then. */
  resolveReviewComment(number: number, comment: ReviewComment, body: string): Promise<void>
  /** The lines after the change that a review comment may be on, by path; undefined where the provider takes any line. */
  listDiffLines(number: number): Promise<ReadonlyMap<string, ReadonlySet<number>> | undefined>
  setCheck(check: CommitCheck): Promise<SetCheck>
  /** Whether a code block with the info string `suggestion` can be applied by a click. */
  readonly suggestions: boolean
  /** The head branch's address for a push over HTTPS, and the value of its Authorization header. */
  pushAddress(): { url: string; authorization: string }
}

/** Work items that are read of one project; more are reported as a failure, never left out. */
export const MOST_ITEMS = 20_000
