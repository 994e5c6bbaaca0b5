import type { WebhookProvider } from './delivery.ts'

/** A scan that a delivery asks for. */
export interface WantedScan {
  /** Address of the repository. */
  repository: string
  /** Full object id. */
  commit: string
  /** What the commit is the head of. */
  ref: string
  class: 'push' | 'pull_request'
}

/** What a delivery is about: scans, or why there are none. */
export interface ReadEvent {
  event: string
  scans: WantedScan[]
  /** Why nothing is scanned, in words. */
  ignored?: string
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const BRANCH = /^refs\/heads\/[^\s\0]{1,500}$/

/** What a reference was moved to. */
type Pushed = Pick<WantedScan, 'ref' | 'commit'>

/** A value of a payload, of whatever type. */
type Value = unknown

/**
 * The scans that a delivery asks for: of the default branch where it was pushed, and of pull requests that were opened or changed. A pull request's commit is
 * fetched from the repository that it goes to, where the provider has it under a reference of its own, so a fork is never asked.
 */
export function readEvent(
  provider: WebhookProvider,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  payload: Value,
): ReadEvent {
  if (provider === 'github') return readGitHub(String(headers['x-github-event'] ?? '').slice(0, 100), payload)
  return provider === 'gitlab' ? readGitLab(payload) : readAzure(payload)
}

function readGitHub(event: string, payload: Value): ReadEvent {
  const repository = textIn(payload, 'repository', 'clone_url')
  if (event === 'push') {
    const main = textIn(payload, 'repository', 'default_branch')
    return branchPushed(event, repository, { ref: textIn(payload, 'ref'), commit: textIn(payload, 'after') }, main)
  }
  if (event !== 'pull_request') return ignore(event, 'only pushes and pull requests are scanned')
  const action = textIn(payload, 'action')
  if (!['opened', 'synchronize', 'reopened', 'ready_for_review'].includes(action))
    return ignore(event, 'no commit was added')
  const number = valueIn(payload, 'pull_request', 'number')
  const commit = textIn(payload, 'pull_request', 'head', 'sha')
  return requestChanged(event, repository, { ref: `refs/pull/${number}/head`, commit }, number)
}

function readGitLab(payload: Value): ReadEvent {
  const event = textIn(payload, 'object_kind') || 'unknown'
  const repository = textIn(payload, 'project', 'git_http_url')
  if (event === 'push') {
    const main = textIn(payload, 'project', 'default_branch')
    return branchPushed(event, repository, { ref: textIn(payload, 'ref'), commit: textIn(payload, 'after') }, main)
  }
  if (event !== 'merge_request') return ignore(event, 'only pushes and merge requests are scanned')
  const action = textIn(payload, 'object_attributes', 'action')
  const isChanged =
    action === 'open' ||
    action === 'reopen' ||
    (action === 'update' && textIn(payload, 'object_attributes', 'oldrev') !== '')
  if (!isChanged) return ignore(event, 'no commit was added')
  const number = valueIn(payload, 'object_attributes', 'iid')
  const commit = textIn(payload, 'object_attributes', 'last_commit', 'id')
  return requestChanged(event, repository, { ref: `refs/merge-requests/${number}/head`, commit }, number)
}

function readAzure(payload: Value): ReadEvent {
  const event = textIn(payload, 'eventType') || 'unknown'
  const repository = textIn(payload, 'resource', 'repository', 'remoteUrl')
  if (event === 'git.push') {
    const main = textIn(payload, 'resource', 'repository', 'defaultBranch').replace(/^refs\/heads\//, '')
    const updates = valueIn(payload, 'resource', 'refUpdates')
    const scans = (Array.isArray(updates) ? updates : []).flatMap(update => {
      const pushed = { ref: textIn(update, 'name'), commit: textIn(update, 'newObjectId') }
      return branchPushed(event, repository, pushed, main).scans
    })
    return scans[0] ? { event, scans: [scans[0]] } : ignore(event, 'the default branch was not pushed')
  }
  if (event !== 'git.pullrequest.created' && event !== 'git.pullrequest.updated')
    return ignore(event, 'only pushes and pull requests are scanned')
  if (textIn(payload, 'resource', 'status') !== 'active') return ignore(event, 'the pull request is not open')
  const number = valueIn(payload, 'resource', 'pullRequestId')
  const commit = textIn(payload, 'resource', 'lastMergeSourceCommit', 'commitId')
  // The source branch can be a fork's, and have the name of a branch of this repository.
  return requestChanged(event, repository, { ref: `refs/pull/${number}/merge`, commit }, number)
}

/** Other branches than the default one are scanned by their pull requests. */
function branchPushed(event: string, repository: string, pushed: Pushed, main: string): ReadEvent {
  const { ref, commit } = pushed
  if (!BRANCH.test(ref)) return ignore(event, 'no branch was pushed')
  if (main !== '' && ref !== `refs/heads/${main}`) return ignore(event, 'the default branch was not pushed')
  if (/^0+$/.test(commit)) return ignore(event, 'the branch was deleted')
  if (repository === '' || !COMMIT.test(commit)) return ignore(event, 'it names no repository and commit')
  return { event, scans: [makeScan('push', repository, pushed)] }
}

function requestChanged(event: string, repository: string, pushed: Pushed, number: Value): ReadEvent {
  if (repository === '' || !COMMIT.test(pushed.commit) || !Number.isSafeInteger(number))
    return ignore(event, 'it names no repository and commit')
  return { event, scans: [makeScan('pull_request', repository, pushed)] }
}

function makeScan(name: WantedScan['class'], repository: string, pushed: Pushed): WantedScan {
  return { repository, ...pushed, class: name }
}

function ignore(event: string, ignored: string): ReadEvent {
  return { event, scans: [], ignored }
}

function textIn(value: Value, ...path: string[]): string {
  const found = valueIn(value, ...path)
  return typeof found === 'string' && found.length <= 2000 ? found : ''
}

function valueIn(value: Value, ...path: string[]): Value {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, Value>)[name]
  }
  return at
}
