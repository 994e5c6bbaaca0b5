import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WorkQueue } from '../../engine/door/work-queue.ts'
import fc from '../made/property.ts'

const never = new AbortController().signal

/** Work that ends when it is told. */
function open() {
  let end = () => {}
  const done = new Promise<void>(resolve => {
    end = resolve
  })
  return { end, done }
}

test('so many pieces of work run, so many wait in their order, and the next one is refused', async () => {
  const queue = new WorkQueue(2, 2)
  const begun: number[] = []
  const works = [0, 1, 2, 3].map(open)
  const runs = works.map(({ done }, at) =>
    queue.run(async () => {
      begun.push(at)
      await done
    }, never),
  )
  await pause(0)
  expect(begun).toEqual([0, 1])
  await expect(queue.run(async () => {}, never)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: '2 scans are running and 2 are waiting, the limit of this server.',
  })
  works[1]!.end()
  await runs[1]
  await pause(0)
  expect(begun).toEqual([0, 1, 2])
  for (const { end } of works) end()
  await Promise.all(runs)
  expect(begun).toEqual([0, 1, 2, 3])
})

test('what is aborted while it waits never runs and gives its place up', async () => {
  const queue = new WorkQueue(1, 1)
  const first = open()
  const running = queue.run(() => first.done, never)
  const gone = new AbortController()
  const waiting = queue.run(async () => expect.unreachable(), gone.signal)
  gone.abort(new Error('the client has gone'))
  await expect(waiting).rejects.toThrow('the client has gone')
  const next = queue.run(async () => 'ran', never)
  first.end()
  await running
  expect(await next).toBe('ran')
})

test('a place is free again whatever became of the work', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 12 }), async fails => {
      const queue = new WorkQueue(2, 100)
      let [now, most] = [0, 0]
      const all = fails.map(fail =>
        queue.run(async () => {
          most = Math.max(most, ++now)
          await pause(0)
          now--
          if (fail) throw new Error('failed')
        }, never),
      )
      await Promise.allSettled(all)
      expect(most).toBeLessThanOrEqual(2)
      expect(await queue.run(async () => 'free', never)).toBe('free')
    }),
    { numRuns: 25 },
  )
})
