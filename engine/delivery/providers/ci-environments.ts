import type { ProviderName } from './provider.ts'

/** How a CI system tells what it is building: names of its environment variables, the first that is set counts. */
export interface CiEnvironment {
  name: string
  title: string
  /** Set to anything but `false` by the system alone. */
  detect: string
  /** The provider, where the system belongs to one. */
  provider?: ProviderName
  /** Base address of the provider's API. */
  api?: readonly string[]
  /** Several that belong together are joined by `/`. */
  repository?: readonly (string | readonly string[])[]
  /** The commit that was pushed; a merge commit made for the build is none. */
  commit: readonly string[]
  /** The number of the pull request, or a reference or address that ends with it. */
  pull_request: readonly string[]
  branch: readonly string[]
  base: readonly string[]
  /** A JSON file with the event that started the build: keys lead to what the variables do not tell. */
  event?: { file: string; commit: string; pull_request: string; fork: string; branch: string; base: string }
  /** Set, with this value where one stands here, if the pull request comes from a fork. */
  fork?: { variable: string; value?: string; not?: string }
  /** A file that the system shows as Markdown beside the build. */
  summary?: string
}

/** Documented environment variables, checked against each system's own reference. */
export const CI_ENVIRONMENTS: readonly CiEnvironment[] = [
  {
    name: 'github-actions',
    title: 'GitHub Actions',
    detect: 'GITHUB_ACTIONS',
    provider: 'github',
    api: ['GITHUB_API_URL'],
    repository: ['GITHUB_REPOSITORY'],
    // On a pull request GITHUB_SHA is a merge commit that nobody pushed; the event has the head.
    commit: ['GITHUB_SHA'],
    pull_request: ['GITHUB_REF'],
    branch: ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
    base: ['GITHUB_BASE_REF'],
    event: {
      file: 'GITHUB_EVENT_PATH',
      commit: 'pull_request.head.sha',
      pull_request: 'pull_request.number',
      fork: 'pull_request.head.repo.fork',
      branch: 'pull_request.head.ref',
      base: 'pull_request.base.ref',
    },
    summary: 'GITHUB_STEP_SUMMARY',
  },
  {
    name: 'gitlab-ci',
    title: 'GitLab CI',
    detect: 'GITLAB_CI',
    provider: 'gitlab',
    api: ['CI_API_V4_URL'],
    repository: ['CI_MERGE_REQUEST_PROJECT_PATH', 'CI_PROJECT_PATH'],
    commit: ['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'CI_COMMIT_SHA'],
    pull_request: ['CI_MERGE_REQUEST_IID'],
    branch: ['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_BRANCH'],
    base: ['CI_MERGE_REQUEST_TARGET_BRANCH_NAME'],
    fork: { variable: 'CI_MERGE_REQUEST_SOURCE_PROJECT_PATH', not: 'CI_MERGE_REQUEST_PROJECT_PATH' },
  },
  {
    name: 'azure-pipelines',
    title: 'Azure Pipelines',
    detect: 'TF_BUILD',
    provider: 'azure',
    api: ['SYSTEM_COLLECTIONURI', 'SYSTEM_TEAMFOUNDATIONCOLLECTIONURI'],
    repository: [['SYSTEM_TEAMPROJECT', 'BUILD_REPOSITORY_NAME']],
    commit: ['SYSTEM_PULLREQUEST_SOURCECOMMITID', 'BUILD_SOURCEVERSION'],
    pull_request: ['SYSTEM_PULLREQUEST_PULLREQUESTID', 'SYSTEM_PULLREQUEST_PULLREQUESTNUMBER'],
    branch: ['SYSTEM_PULLREQUEST_SOURCEBRANCH', 'BUILD_SOURCEBRANCHNAME'],
    base: ['SYSTEM_PULLREQUEST_TARGETBRANCH'],
    fork: { variable: 'SYSTEM_PULLREQUEST_ISFORK', value: 'true' },
  },
  {
    name: 'jenkins',
    title: 'Jenkins',
    detect: 'JENKINS_URL',
    commit: ['GIT_COMMIT'],
    pull_request: ['CHANGE_ID'],
    branch: ['CHANGE_BRANCH', 'BRANCH_NAME'],
    base: ['CHANGE_TARGET'],
    fork: { variable: 'CHANGE_FORK' },
  },
  {
    name: 'circleci',
    title: 'CircleCI',
    detect: 'CIRCLECI',
    commit: ['CIRCLE_SHA1'],
    pull_request: ['CIRCLE_PULL_REQUEST', 'CIRCLE_PR_NUMBER'],
    branch: ['CIRCLE_BRANCH'],
    base: [],
    // Set for builds of forks alone.
    fork: { variable: 'CIRCLE_PR_REPONAME' },
  },
  {
    name: 'buildkite',
    title: 'Buildkite',
    detect: 'BUILDKITE',
    commit: ['BUILDKITE_COMMIT'],
    pull_request: ['BUILDKITE_PULL_REQUEST'],
    branch: ['BUILDKITE_BRANCH'],
    base: ['BUILDKITE_PULL_REQUEST_BASE_BRANCH'],
  },
]
