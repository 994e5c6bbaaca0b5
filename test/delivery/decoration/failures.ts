import { expect } from 'vitest'
import { formatComment } from '../../../engine/delivery/decoration/content.ts'
import type { Fault } from '../../made/providers/server.ts'
import { opened } from '../providers/opened.ts'
import { post, started } from './ground.ts'
import { finding, subject } from './subjects.ts'

/**
 * Runs with random failures and restarts, and holds: never more than one comment, at the end the right one, no review comment and no annotation
 * twice.
 */
export async function holdRuns(runs: number): Promise<void> {
  const github = await started()
  const random = makeRandom(20)
  let judged = subject([])
  let done = 0
  for (let run = 0; run < runs; run++) {
    const isRestart = run % 3 === 2
    if (!isRestart)
      judged = subject(
        Array.from({ length: 10 }, (_, at) => at + 1)
          .filter(() => random() < 0.3)
          .map(line => finding(line)),
      )
    const abort = new AbortController()
    const stopAt = random() < 0.3 ? Math.floor(random() * 12) : Number.POSITIVE_INFINITY
    let requests = 0
    github.fail = () => {
      if (++requests > stopAt) abort.abort()
      return random() < 0.15 ? pickFault(random) : undefined
    }
    const provider = await opened(github, 'github', abort.signal)
    await post(provider, judged).then(
      ({ problems }) => void (problems.length === 0 && done++),
      error => expect(error).toMatchObject({ code: 'INTERRUPTED' }),
    )
    expect(github.state.comments.length).toBeLessThanOrEqual(1)
  }
  // Most runs come through on their own; the failures were real.
  expect(done).toBeGreaterThan(runs / 4)
  expect(done).toBeLessThan(runs)
  github.fail = () => undefined
  const last = await post(await opened(github), judged)
  expect(last.problems).toEqual([])
  expect(github.state.comments).toHaveLength(1)
  const inline = new Set(judged.findings.map(({ fingerprint }) => fingerprint))
  expect(github.state.comments[0]!.body).toBe(formatComment(judged, { inline }))
  const open = github.state.reviews.filter(({ resolved }) => !resolved).map(({ line }) => line)
  expect([...open].sort((a, b) => a - b)).toEqual(judged.findings.map(({ line }) => line))
  for (const { annotations } of github.state.checks)
    expect(new Set(annotations.map(({ start_line }) => start_line)).size).toBe(annotations.length)
  const keys = github.state.checks.map(({ external_id }) => external_id)
  expect(new Set(keys).size).toBe(keys.length)
}

function pickFault(random: () => number): Fault {
  const faults: Fault[] = [
    { status: 500 },
    { status: 502 },
    { status: 503 },
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 403, headers: { 'retry-after': '1' }, body: { message: 'You have exceeded a secondary rate limit.' } },
    { cut: 'before' },
    { cut: 'after' },
    { slow: 20 },
  ]
  return faults[Math.floor(random() * faults.length)]!
}

/** The same numbers at each run. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
