import { createHash } from 'node:crypto'
import { ProviderFailure } from '../failure.ts'
import type { Annotation, CommitCheck, SetCheck } from '../provider.ts'
import type { Session } from './session.ts'

interface RawRun {
  id: number
  name: string
  external_id: string | null
  status: string
  conclusion: string | null
  output: { annotations_count: number }
}

/** Annotations of one request; more is refused. */
const A_REQUEST = 50
/** Characters of summary and text of a check run. */
const MOST_TEXT = 65_535
/** Characters of a commit status's description. */
const MOST_STATUS = 140
/** Requests for one check run, failed ones included: 20 for 1,000 annotations. */
const MOST_STEPS = 60

type Repository = { owner: string; repo: string }

/**
 * Sets a check run with its annotations, or a commit status where the token may not write check runs, which only GitHub Apps may. Started again
 * after a failure it goes on: the run is known by a digest of its content, and how many annotations it has by GitHub's own count, so that none
 * is sent twice.
 */
export async function setCheck(
  session: Pick<Session, 'ask' | 'list'>,
  at: Repository,
  check: CommitCheck,
): Promise<SetCheck> {
  try {
    return await setCheckRun(session, at, check)
  } catch (error) {
    // 403 of a token that is no app's; 422 says the same in some editions.
    if (!(error instanceof ProviderFailure) || error.kind !== 'forbidden') throw error
  }
  await session.ask('POST /repos/{owner}/{repo}/statuses/{sha}', {
    ...at,
    sha: check.sha,
    state: check.passed ? 'success' : 'failure',
    context: check.name,
    description: check.title.slice(0, MOST_STATUS),
    ...(check.url !== undefined && { target_url: check.url }),
  })
  return { kind: 'commit_status', annotations: 0 }
}

async function setCheckRun(
  { ask, list }: Pick<Session, 'ask' | 'list'>,
  at: Repository,
  check: CommitCheck,
): Promise<SetCheck> {
  const external_id = digestCheck(check)
  const output = { title: check.title.slice(0, 255), summary: check.summary.slice(0, MOST_TEXT) }
  const find = async () => {
    const runs = (await list('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
      ...at,
      ref: check.sha,
      check_name: check.name,
      filter: 'latest',
    })) as unknown as RawRun[]
    return runs.find(run => run.external_id === external_id)
  }
  let run = await find()
  for (let step = 0; ; step++) {
    try {
      if (!run) {
        const made = await ask(
          'POST /repos/{owner}/{repo}/check-runs',
          {
            ...at,
            name: check.name,
            head_sha: check.sha,
            external_id,
            status: 'in_progress',
            ...(check.url !== undefined && { details_url: check.url }),
            output: { ...output, annotations: check.annotations.slice(0, A_REQUEST).map(toRaw) },
          },
          { once: true },
        )
        run = made as RawRun
      }
      const sent = run.output.annotations_count
      if (sent >= check.annotations.length) break
      const body = { output: { ...output, annotations: check.annotations.slice(sent, sent + A_REQUEST).map(toRaw) } }
      run = (await ask(
        'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
        { ...at, check_run_id: run.id, ...body },
        { once: true },
      )) as RawRun
    } catch (error) {
      // What was cut off may have been carried out: GitHub knows.
      if (!(error instanceof ProviderFailure) || !error.isAmbiguous || step >= MOST_STEPS) throw error
      run = await find()
    }
  }
  const conclusion = check.passed ? 'success' : 'failure'
  if (run.status !== 'completed' || run.conclusion !== conclusion)
    await ask('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...at,
      check_run_id: run.id,
      status: 'completed',
      conclusion,
    })
  return { kind: 'check_run', annotations: check.annotations.length }
}

function digestCheck({ passed, title, summary, annotations }: CommitCheck): string {
  return createHash('sha256')
    .update(JSON.stringify([passed, title, summary, annotations]))
    .digest('hex')
    .slice(0, 32)
}

function toRaw({ path, line, end_line, level, title, message }: Annotation) {
  return {
    path,
    start_line: line,
    end_line: Math.max(line, end_line),
    annotation_level: level,
    title: title.slice(0, 255),
    message: message.slice(0, 60_000),
  }
}
