import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { describeGitFailure } from './git.ts'
import { spawnFailure, startGit } from './git-process.ts'

/**
 * Reads what git prints between NUL characters (`-z`), each record as soon as it has come, so that memory does not grow with the output.
 * Throws as `runGit` does.
 */
export async function readGitRecords(
  root: string,
  args: readonly string[],
  signal: AbortSignal,
  take: (record: string) => void,
): Promise<void> {
  const child = startGit(root, args, { stdio: ['ignore', 'pipe', 'pipe'] }) as ChildProcessByStdio<
    null,
    Readable,
    Readable
  >
  const abort = () => child.kill()
  signal.addEventListener('abort', abort, { once: true })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', error => reject(spawnFailure(error)))
    child.on('close', code => resolve(code ?? 128))
  })
  // Awaited below; until then a failure is nobody's.
  ended.catch(() => {})
  await splitRecords(child.stdout, take)
  const code = await ended
  signal.removeEventListener('abort', abort)
  signal.throwIfAborted()
  if (code !== 0) throw describeGitFailure(args, stderr)
}

async function splitRecords(stream: Readable, take: (record: string) => void): Promise<void> {
  stream.setEncoding('utf8')
  let rest = ''
  for await (const chunk of stream) {
    const text: string = rest + chunk
    let from = 0
    for (let at = text.indexOf('\0'); at !== -1; at = text.indexOf('\0', from)) {
      take(text.slice(from, at))
      from = at + 1
    }
    rest = text.slice(from)
  }
  if (rest !== '') take(rest)
}
