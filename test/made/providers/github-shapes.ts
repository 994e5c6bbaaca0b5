// Answers of GitHub, written field by field after its published description.

import type { CheckRun, GithubState, Pull } from './github-state.ts'

/** The repository that the stand-in has. */
const REPOSITORY = 'acme/shop'
export const SHA = '1111111111111111111111111111111111111111'

const TIME = '2026-01-01T00:00:00Z'

export function makeUser(url: string) {
  return {
    ...{ login: 'kim', id: 1, node_id: 'U_1', avatar_url: `${url}/a`, gravatar_id: '', url: `${url}/users/kim` },
    ...{ html_url: `${url}/kim`, followers_url: `${url}/f`, following_url: `${url}/f`, gists_url: `${url}/g` },
    ...{ starred_url: `${url}/s`, subscriptions_url: `${url}/s`, organizations_url: `${url}/o`, repos_url: `${url}/r` },
    ...{ events_url: `${url}/e`, received_events_url: `${url}/e`, type: 'User', site_admin: false },
    ...{ name: null, company: null, blog: null, location: null, email: null, hireable: null, bio: null },
    ...{ public_repos: 0, public_gists: 0, followers: 0, following: 0, created_at: TIME, updated_at: TIME },
  }
}

export function makeRepository(url: string) {
  const address = `${url}/repos/${REPOSITORY}`
  const urls =
    'archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks git_commits git_refs git_tags hooks issue_comment issue_events issues keys labels languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees'
  return {
    ...Object.fromEntries(urls.split(' ').map(name => [`${name}_url`, `${address}/${name}`])),
    ...{ id: 1, node_id: 'R_1', name: 'shop', full_name: REPOSITORY, owner: makeUser(url), private: false },
    ...{
      html_url: `${url}/${REPOSITORY}`,
      description: null,
      fork: false,
      url: address,
      git_url: 'git:github.com/acme/shop.git',
    },
    ...{
      ssh_url: 'git@github.com:acme/shop.git',
      clone_url: `${url}/${REPOSITORY}.git`,
      svn_url: address,
      mirror_url: null,
    },
    ...{ homepage: null, language: null, forks_count: 0, stargazers_count: 0, watchers_count: 0, size: 1 },
    ...{ default_branch: 'main', open_issues_count: 0, is_template: false, topics: [], has_issues: true },
    ...{ has_projects: false, has_wiki: false, has_pages: false, has_downloads: false, has_discussions: false },
    ...{ archived: false, disabled: false, visibility: 'public', pushed_at: TIME, created_at: TIME, updated_at: TIME },
    ...{
      license: null,
      forks: 0,
      open_issues: 0,
      watchers: 0,
      allow_forking: true,
      web_commit_signoff_required: false,
    },
    ...{ network_count: 0, subscribers_count: 0 },
  }
}

export function makePull({ number, title, body, state, head, head_sha, base, fork }: Pull, url: string) {
  const address = `${url}/repos/${REPOSITORY}/pulls/${number}`
  const link = (href: string) => ({ href })
  const own = makeRepository(url)
  const side = (ref: string, sha: string, repo: object) => ({
    label: `acme:${ref}`,
    ref,
    sha,
    user: makeUser(url),
    repo,
  })
  return {
    ...{ id: number, node_id: `PR_${number}`, number, title, body, state, locked: false, draft: false },
    ...{
      url: address,
      html_url: `${url}/${REPOSITORY}/pull/${number}`,
      diff_url: `${address}.diff`,
      patch_url: `${address}.patch`,
    },
    ...{ issue_url: `${url}/repos/${REPOSITORY}/issues/${number}`, commits_url: `${address}/commits` },
    ...{
      review_comments_url: `${address}/comments`,
      review_comment_url: `${url}/c`,
      comments_url: `${url}/i/comments`,
      statuses_url: `${url}/s`,
    },
    ...{
      user: makeUser(url),
      labels: [],
      milestone: null,
      active_lock_reason: null,
      created_at: TIME,
      updated_at: TIME,
    },
    ...{
      closed_at: null,
      merged_at: null,
      merge_commit_sha: null,
      assignee: null,
      assignees: [],
      requested_reviewers: [],
      requested_teams: [],
    },
    head: side(head, head_sha, fork ? { ...own, id: 2, full_name: 'stranger/shop', fork: true } : own),
    base: side(base, SHA, own),
    _links: Object.fromEntries(
      ['self', 'html', 'issue', 'comments', 'review_comments', 'review_comment', 'commits', 'statuses'].map(name => [
        name,
        link(`${address}/${name}`),
      ]),
    ),
    ...{
      author_association: 'MEMBER',
      auto_merge: null,
      merged: false,
      mergeable: true,
      rebaseable: true,
      mergeable_state: 'clean',
    },
    ...{
      merged_by: null,
      comments: 0,
      review_comments: 0,
      maintainer_can_modify: false,
      commits: 1,
      additions: 1,
      deletions: 0,
      changed_files: 1,
    },
  }
}

export function makeComment({ id, number, body }: GithubState['comments'][number], url: string) {
  return {
    ...{
      id,
      node_id: `IC_${id}`,
      url: `${url}/repos/${REPOSITORY}/issues/comments/${id}`,
      html_url: `${url}/${REPOSITORY}/pull/${number}#c${id}`,
    },
    ...{
      body,
      user: makeUser(url),
      created_at: TIME,
      updated_at: TIME,
      issue_url: `${url}/repos/${REPOSITORY}/issues/${number}`,
    },
    ...{ author_association: 'NONE', performed_via_github_app: null },
  }
}

export function makeReview({ id, number, body, path, line, start_line }: GithubState['reviews'][number], url: string) {
  const address = `${url}/repos/${REPOSITORY}/pulls/comments/${id}`
  return {
    ...{
      url: address,
      pull_request_review_id: 1,
      id,
      node_id: `RC_${id}`,
      diff_hunk: '@@',
      path,
      commit_id: SHA,
      original_commit_id: SHA,
    },
    ...{
      user: makeUser(url),
      body,
      created_at: TIME,
      updated_at: TIME,
      html_url: `${url}/h`,
      pull_request_url: `${url}/repos/${REPOSITORY}/pulls/${number}`,
    },
    ...{
      author_association: 'NONE',
      line,
      original_line: line,
      start_line: start_line ?? null,
      side: 'RIGHT',
      position: 1,
    },
    _links: { self: { href: address }, html: { href: address }, pull_request: { href: address } },
  }
}

export function makeFile({ filename, patch }: GithubState['files'][number], url: string) {
  return {
    ...{ sha: SHA, filename, status: 'modified', additions: 1, deletions: 0, changes: 1, patch },
    ...{ blob_url: `${url}/b`, raw_url: `${url}/r`, contents_url: `${url}/c` },
  }
}

export function makeCheck(
  { id, name, head_sha, external_id, status, conclusion, title, summary, annotations }: CheckRun,
  url: string,
) {
  const address = `${url}/repos/${REPOSITORY}/check-runs/${id}`
  return {
    ...{
      id,
      node_id: `CR_${id}`,
      name,
      head_sha,
      external_id,
      status,
      conclusion,
      url: address,
      html_url: address,
      details_url: null,
    },
    ...{
      started_at: TIME,
      completed_at: status === 'completed' ? TIME : null,
      check_suite: { id: 1 },
      app: null,
      pull_requests: [],
    },
    output: {
      title,
      summary,
      text: null,
      annotations_count: annotations.length,
      annotations_url: `${address}/annotations`,
    },
  }
}

export function makeStatus({ sha, state, context, description }: GithubState['statuses'][number], url: string) {
  return {
    ...{
      url: `${url}/repos/${REPOSITORY}/statuses/${sha}`,
      avatar_url: null,
      id: 1,
      node_id: 'S_1',
      state,
      description,
      target_url: null,
    },
    ...{ context, created_at: TIME, updated_at: TIME, creator: makeUser(url) },
  }
}

export function makeIssue(
  { number, title, body, state, state_reason, labels, updated }: GithubState['issues'][number],
  url: string,
) {
  const address = `${url}/repos/${REPOSITORY}/issues/${number}`
  return {
    ...{
      id: number,
      node_id: `I_${number}`,
      url: address,
      repository_url: `${url}/repos/${REPOSITORY}`,
      labels_url: `${address}/labels`,
    },
    ...{
      comments_url: `${address}/comments`,
      events_url: `${address}/events`,
      html_url: `${url}/${REPOSITORY}/issues/${number}`,
    },
    ...{
      number,
      title,
      body,
      state,
      state_reason,
      user: makeUser(url),
      assignee: null,
      milestone: null,
      locked: false,
      comments: 0,
    },
    labels: labels.map((name, id) => ({
      id,
      node_id: `L_${id}`,
      url: `${address}/labels/${id}`,
      name,
      description: null,
      color: 'ffffff',
      default: false,
    })),
    ...{ closed_at: null, created_at: TIME, updated_at: updated, author_association: 'OWNER' },
  }
}
