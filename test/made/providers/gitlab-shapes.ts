/** What the stand-in's project has. */
export interface GitlabState {
  merges: {
    iid: number
    title: string
    description: string
    state: string
    source: string
    target: string
    sha: string
    fork?: boolean
  }[]
  notes: { id: number; iid: number; body: string; system: boolean }[]
  discussions: { id: string; iid: number; body: string; path: string; line: number; resolved: boolean }[]
  diffs: { iid: number; new_path: string; diff: string }[]
  statuses: { sha: string; name: string; status: string; description: string }[]
  issues: { iid: number; title: string; description: string; state: string; labels: string[] }[]
  /** Access level of the token's account, and the scopes of the token. */
  level: number
  scopes: string[]
}

export const BASE = '0000000000000000000000000000000000000000'
const TIME = '2026-01-01T00:00:00.000Z'

/** Answers by what the stand-in keeps; `url` is its own. */
export function makeShapes(url: () => string) {
  const merge = ({
    iid,
    title,
    description,
    state: now,
    source,
    target,
    sha,
    fork,
  }: GitlabState['merges'][number]) => ({
    ...{ id: iid + 100, iid, project_id: 1, title, description, state: now, created_at: TIME, updated_at: TIME },
    ...{ target_branch: target, source_branch: source, source_project_id: fork ? 2 : 1, target_project_id: 1, sha },
    ...{
      web_url: `${url()}/acme/shop/-/merge_requests/${iid}`,
      diff_refs: { base_sha: BASE, head_sha: sha, start_sha: BASE },
    },
    ...{ author: { id: 1, username: 'kim' }, draft: false, labels: [], merge_status: 'can_be_merged' },
  })
  const note = ({ id, body, system }: GitlabState['notes'][number]) => ({
    ...{
      id,
      body,
      system,
      author: { id: 1, username: 'kim' },
      created_at: TIME,
      updated_at: TIME,
      noteable_type: 'MergeRequest',
    },
    ...{ resolvable: false, confidential: false, internal: false },
  })
  const discussion = ({ id, body, path, line, resolved }: GitlabState['discussions'][number]) => ({
    id,
    individual_note: false,
    notes: [
      {
        ...{ id: 1, type: 'DiffNote', body, system: false, resolvable: true, resolved },
        position: { position_type: 'text', new_path: path, old_path: path, new_line: line, old_line: null },
      },
    ],
  })
  const issue = ({ iid, title, description, state: now, labels }: GitlabState['issues'][number]) => ({
    ...{
      id: iid + 100,
      iid,
      project_id: 1,
      title,
      description,
      state: now,
      labels,
      issue_type: 'issue',
      updated_at: TIME,
    },
    web_url: `${url()}/acme/shop/-/issues/${iid}`,
  })

  return { merge, note, discussion, issue }
}
