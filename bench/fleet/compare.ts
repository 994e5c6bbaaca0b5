import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { runLimited } from '../../engine/fleet/store/limited.ts'
import type { Pair } from './compare-process.ts'

/** Of the pairs those whose run is not that of a local scan, with the first lines that differ. With a process for each processor: an own one for each scan would mostly start. */
export async function listDifferent(
  pairs: readonly Pair[],
  fetchRun: (pair: Pair) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<string[]> {
  const free: ChildProcess[] = cpus().map(() => fork(new URL('./compare-process.ts', import.meta.url)))
  const all = [...free]
  const different: string[] = []
  let done = 0
  try {
    await runLimited(pairs, all.length, async pair => {
      const child = free.pop()!
      await fetchRun(pair)
      child.send(pair)
      const difference = await readAnswer(child)
      if (difference !== undefined) different.push(`${pair.name}: ${difference}`)
      free.push(child)
      onProgress(++done)
    })
  } finally {
    for (const child of all) child.kill()
  }
  return different
}

/** What the process says that was asked. */
async function readAnswer(child: ChildProcess): Promise<string | undefined> {
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error('a process that compares runs has ended')
    })
    const [answer] = (await Promise.race([once(child, 'message', { signal }), ended])) as [{ difference?: string }]
    ended.catch(() => {})
    return answer.difference
  } finally {
    waiting.abort()
  }
}
