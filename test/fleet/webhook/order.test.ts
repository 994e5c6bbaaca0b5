import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Run } from '../../../engine/base/records/run.ts'
import { listRivals } from '../../../engine/fleet/queue/branches.ts'
import type { Age } from '../../../engine/fleet/queue/job.ts'
import { openFolderObjects } from '../../../engine/fleet/store/folder-objects.ts'
import { putLatest, readLatest } from '../../../engine/fleet/store/latest.ts'
import { placePush } from '../../../engine/fleet/webhook/submit.ts'
import { folder } from '../../made/folder.ts'
import fc from '../../made/property.ts'

const [A, B, C] = ['a', 'b', 'c'].map(digit => digit.repeat(40)) as [string, string, string]

describe('a push', () => {
  test.each([
    ['that the branch is at is the newest', { head: A, last: B }, 'newest'],
    ['is outdated where the branch is at the commit that was queued last', { head: B, last: B }, 'outdated'],
    ['takes no place where the server does not answer', { head: undefined, last: B }, 'unsure'],
    ['takes no place where the branch is at a commit that nobody has queued', { head: C, last: B }, 'unsure'],
    ['takes no place where nothing is known', { head: undefined, last: undefined }, 'unsure'],
  ])('%s', (_, known, place) => {
    expect(placePush(A, known)).toBe(place)
  })

  test('of which the branch was known to be at the commit is behind later ones only', () => {
    expect(listRivals([C, A, B], { commit: A })).toEqual([C])
    expect(listRivals([C, A, B], { commit: A, unsure: true })).toEqual([C, B])
    expect(listRivals([A, B, A], { commit: A })).toEqual([])
  })
})

/** One push of a branch: the commit that it is made on (one of those before it, the last but for a forced push), and how its delivery fares. */
interface Push {
  forced: number
  order: number
  /** How far the branch is when the server is asked; -1 where it does not answer. */
  ahead: number
  /** Jobs that workers do after it was delivered. */
  worked: number[]
}

const pushes = fc.array(
  fc.record<Push>({
    forced: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
    order: fc.nat(1000),
    ahead: fc.integer({ min: -1, max: 6 }),
    worked: fc.array(fc.nat(10), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 7 },
)

interface Job {
  at: number
  commit: string
  id: string
  unsure: boolean
}

const name = (at: number) => String(at).padStart(40, '0')

/** What a branch comes to whose pushes are delivered and scanned so: the commit of its row, those that were scanned, and what the history says. */
async function deliver(made: readonly Push[]) {
  const parents = made.map(({ forced }, at) => Math.max(-1, at - 1 - forced))
  const isBehind = (one: number, two: number): boolean => two >= one && (one === two || isBehind(one, parents[two]!))
  const compare = (own: number, other: number): Age =>
    isBehind(other, own) ? 'newer' : isBehind(own, other) ? 'older' : 'unknown'
  const objects = openFolderObjects(join(folder(), 'store'))
  const submitted: string[] = []
  const waiting: Job[] = []
  const scanned = new Set<number>()
  let latest: string | undefined
  let known = -1
  const confirmed = new Set<number>()
  const work = async ({ at, commit, id, unsure }: Job) => {
    if (!unsure && latest !== commit) return
    if (
      listRivals(submitted, { commit, ...(unsure && { unsure }) }).some(other => compare(at, Number(other)) === 'older')
    )
      return
    scanned.add(at)
    await putLatest(objects, 'acme/shop', makeRun(id, commit), {
      compareWith: async other => compare(at, Number(other)),
      isBranchAt: async other => latest === other,
    })
  }
  const arriving = [...made.keys()].sort((a, b) => made[a]!.order - made[b]!.order)
  for (const [time, at] of arriving.entries()) {
    const { ahead, worked } = made[at]!
    known = Math.max(known, at, Math.min(made.length - 1, at + ahead))
    const [commit, head] = [name(at), ahead < 0 ? undefined : name(known)]
    const place = placePush(commit, { head, last: submitted[0] })
    if (place !== 'outdated') {
      submitted.unshift(commit)
      if (place === 'newest') latest = commit
      if (place === 'newest') confirmed.add(at)
      waiting.push({ at, commit, id: `run-${String(time).padStart(3, '0')}`, unsure: place === 'unsure' })
    }
    for (const pick of worked) {
      const [job] = waiting.splice(pick % Math.max(1, waiting.length), 1)
      if (job) await work(job)
    }
  }
  for (const job of waiting) await work(job)
  const [row] = (await readLatest(objects, join(folder(), 'mirror'))).rows
  return { row: Number(row!.git_sha), scanned, confirmed, isBehind }
}

test('in whatever order pushes are delivered and scanned, no older commit takes the place of a newer one, and the head is scanned', async () => {
  await fc.assert(
    fc.asyncProperty(pushes, async made => {
      const { row, scanned, confirmed, isBehind } = await deliver(made)
      const head = made.length - 1
      expect(scanned.has(head), 'the head is scanned').toBe(true)
      for (const at of scanned)
        expect(at !== row && isBehind(row, at), `row ${row} is older than ${at}, which was scanned`).toBe(false)
      if (confirmed.has(head)) expect(row, 'the server said where the branch is').toBe(head)
    }),
    { numRuns: 25 },
  )
})

function makeRun(id: string, git_sha: string): Run {
  const by_severity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  return {
    ...{ id, git_sha, branch: 'main', root_name: 'shop', scope: 'everything', started_at: '2026-01-01T00:00:00.000Z' },
    ...{ not_evaluated: [], counts: { open: 0, baseline: 0, rules: 1, files: 1, bytes: 1, by_severity } },
  } as unknown as Run
}
