// A file of its own in the build, loaded where GitHub is asked.
export { Octokit } from '@octokit/core'
export { paginateRest } from '@octokit/plugin-paginate-rest'
export { retry } from '@octokit/plugin-retry'
export { throttling } from '@octokit/plugin-throttling'
