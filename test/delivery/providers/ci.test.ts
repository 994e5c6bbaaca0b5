import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectCi } from '../../../engine/delivery/providers/ci.ts'
import { folder } from '../../made/folder.ts'

const SHA = 'a'.repeat(40)
const HEAD = 'b'.repeat(40)

describe('the CI system is detected by its variables', () => {
  it('GitHub Actions, whose event has the head of a pull request and says whether it is a fork’s', () => {
    const event = join(folder({}), 'event.json')
    const head = { sha: HEAD, ref: 'work', repo: { fork: true } }
    writeFileSync(event, JSON.stringify({ pull_request: { number: 12, head, base: { ref: 'main' } } }))
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_SHA: SHA,
      GITHUB_REF: 'refs/pull/12/merge',
      GITHUB_EVENT_PATH: event,
      GITHUB_API_URL: 'https://api.github.com',
      GITHUB_STEP_SUMMARY: '/tmp/summary',
    }
    expect(detectCi(env)).toEqual({
      ...{ name: 'github-actions', title: 'GitHub Actions', provider: 'github', api_url: 'https://api.github.com' },
      ...{
        repository: 'acme/shop',
        commit: HEAD,
        pull_request: 12,
        branch: 'work',
        base: 'main',
        is_fork: true,
        summary_file: '/tmp/summary',
      },
    })
  })
  it('GitHub Actions on a push has no pull request', () => {
    expect(
      detectCi({ GITHUB_ACTIONS: 'true', GITHUB_SHA: SHA, GITHUB_REF: 'refs/heads/release/12' })?.pull_request,
    ).toBeUndefined()
  })
  it('GitLab CI, where a fork’s source project differs', () => {
    const env = {
      GITLAB_CI: 'true',
      CI_API_V4_URL: 'https://git.example/api/v4',
      CI_MERGE_REQUEST_PROJECT_PATH: 'acme/shop',
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'kim/shop',
      CI_COMMIT_SHA: SHA,
      CI_MERGE_REQUEST_IID: '5',
    }
    expect(detectCi(env)).toMatchObject({
      provider: 'gitlab',
      repository: 'acme/shop',
      commit: SHA,
      pull_request: 5,
      is_fork: true,
    })
  })
  it('Azure Pipelines, by the commit of the source branch', () => {
    const env = {
      TF_BUILD: 'True',
      SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
      SYSTEM_TEAMPROJECT: 'store',
      BUILD_REPOSITORY_NAME: 'shop',
      BUILD_SOURCEVERSION: SHA,
      SYSTEM_PULLREQUEST_SOURCECOMMITID: HEAD,
      SYSTEM_PULLREQUEST_PULLREQUESTID: '9',
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/work',
      SYSTEM_PULLREQUEST_ISFORK: 'False',
    }
    expect(detectCi(env)).toMatchObject({
      provider: 'azure',
      repository: 'store/shop',
      commit: HEAD,
      pull_request: 9,
      branch: 'work',
      is_fork: false,
    })
  })
  it.each([
    [
      'jenkins',
      { JENKINS_URL: 'https://ci', GIT_COMMIT: SHA, CHANGE_ID: '3', CHANGE_BRANCH: 'work', CHANGE_TARGET: 'main' },
    ],
    [
      'circleci',
      {
        CIRCLECI: 'true',
        CIRCLE_SHA1: SHA,
        CIRCLE_PULL_REQUEST: 'https://github.com/acme/shop/pull/3',
        CIRCLE_BRANCH: 'work',
      },
    ],
    ['buildkite', { BUILDKITE: 'true', BUILDKITE_COMMIT: SHA, BUILDKITE_PULL_REQUEST: '3', BUILDKITE_BRANCH: 'work' }],
  ])('%s', (name, env) => {
    expect(detectCi(env)).toMatchObject({ name, commit: SHA, pull_request: 3, branch: 'work', is_fork: false })
  })
  it('Buildkite says false where there is no pull request', () => {
    expect(detectCi({ BUILDKITE: 'true', BUILDKITE_PULL_REQUEST: 'false' })?.pull_request).toBeUndefined()
  })
  it('none where no variable says so', () => expect(detectCi({ CI: 'true' })).toBeUndefined())
})
