import { describe, expect, test } from 'vitest'
import { readEvent } from '../../../engine/fleet/webhook/events.ts'

const COMMIT = 'a'.repeat(40)
const GITHUB = { repository: { clone_url: 'https://github.com/acme/shop.git', default_branch: 'main' } }
const PUSH = { ...GITHUB, ref: 'refs/heads/main', after: COMMIT, deleted: false }
const PULL = { ...GITHUB, action: 'synchronize', pull_request: { number: 7, head: { sha: COMMIT } } }
const GITLAB = { project: { git_http_url: 'https://gitlab.com/acme/shop.git', default_branch: 'main' } }
const MERGE = {
  ...GITLAB,
  object_kind: 'merge_request',
  object_attributes: { action: 'update', oldrev: 'b'.repeat(40), iid: 7, last_commit: { id: COMMIT } },
}
const AZURE = {
  repository: { remoteUrl: 'https://acme@dev.azure.com/acme/p/_git/shop', defaultBranch: 'refs/heads/main' },
}
const scan = (repository: string, ref: string, name: string) => ({ repository, commit: COMMIT, ref, class: name })

describe('a delivery asks for a scan', () => {
  test.each([
    ['github', { 'x-github-event': 'push' }, PUSH, scan('https://github.com/acme/shop.git', 'refs/heads/main', 'push')],
    [
      'github',
      { 'x-github-event': 'pull_request' },
      PULL,
      scan('https://github.com/acme/shop.git', 'refs/pull/7/head', 'pull_request'),
    ],
    [
      'gitlab',
      {},
      { ...GITLAB, object_kind: 'push', ref: 'refs/heads/main', after: COMMIT },
      scan('https://gitlab.com/acme/shop.git', 'refs/heads/main', 'push'),
    ],
    [
      ...(['gitlab', {}, MERGE] as const),
      scan('https://gitlab.com/acme/shop.git', 'refs/merge-requests/7/head', 'pull_request'),
    ],
    [
      'azure',
      {},
      {
        eventType: 'git.push',
        resource: {
          ...AZURE,
          refUpdates: [
            { name: 'refs/heads/other', newObjectId: 'c'.repeat(40) },
            { name: 'refs/heads/main', newObjectId: COMMIT },
          ],
        },
      },
      scan(AZURE.repository.remoteUrl, 'refs/heads/main', 'push'),
    ],
    [
      'azure',
      {},
      {
        eventType: 'git.pullrequest.updated',
        resource: {
          ...AZURE,
          status: 'active',
          pullRequestId: 7,
          // Of a fork, whose main is not that of the repository.
          sourceRefName: 'refs/heads/main',
          lastMergeSourceCommit: { commitId: COMMIT },
        },
      },
      scan(AZURE.repository.remoteUrl, 'refs/pull/7/merge', 'pull_request'),
    ],
  ] as const)('%s %j', (provider, headers, payload, expected) => {
    expect(readEvent(provider, headers, payload).scans).toEqual([expected])
  })
})

describe('a delivery asks for nothing, and says why', () => {
  test.each([
    ['of a deleted branch', 'push', { ...PUSH, after: '0'.repeat(40), deleted: true }, 'deleted'],
    ['of a tag', 'push', { ...PUSH, ref: 'refs/tags/v1' }, 'no branch'],
    [
      'of another branch, which its pull request has scanned',
      'push',
      { ...PUSH, ref: 'refs/heads/x' },
      'default branch',
    ],
    ['of a label', 'pull_request', { ...PULL, action: 'labeled' }, 'no commit'],
    ['of a star', 'star', GITHUB, 'only pushes'],
    ['with a commit that is none', 'push', { ...PUSH, after: '--upload-pack=x' }, 'no repository and commit'],
    ['that is no object', 'push', null, 'no branch'],
    ['with names of the prototype', 'push', JSON.parse('{"__proto__": {"ref": "refs/heads/main"}}'), 'no branch'],
  ])('%s', (_, event, payload, reason) => {
    const read = readEvent('github', { 'x-github-event': event }, payload)
    expect(read.scans).toEqual([])
    expect(read.ignored).toContain(reason)
  })
})
