import type { Choice } from '../engine/base/context.ts'
import { EngineError } from '../engine/base/errors.ts'
import type { Host } from './host.ts'

/** Whether a person can be asked: they see a terminal, one that can move its cursor, and type into one. Looks at standard input last, since that opens it. */
export function canAsk(host: Pick<Host, 'stdin' | 'stderr' | 'env'>): boolean {
  const { stderr, env } = host
  return stderr.isTTY === true && env.TERM !== 'dumb' && host.stdin.isTTY === true
}

/**
 * Lets a person choose with the arrow keys; undefined where they leave with Ctrl-C. The question goes to stderr, since stdout
 * carries the answer only.
 */
export async function chooseWithArrows(
  { stdin, stderr, signal }: Pick<Host, 'stdin' | 'stderr' | 'signal'>,
  question: string,
  choices: readonly Choice[],
  initial?: string,
): Promise<string | undefined> {
  const { default: select } = await import('@inquirer/select')
  const streams = {
    input: stdin as unknown as NodeJS.ReadableStream,
    output: stderr as unknown as NodeJS.WritableStream,
  }
  try {
    return await select<string>(
      {
        message: question,
        choices: [...choices],
        ...(initial !== undefined && { default: initial }),
        pageSize: choices.length,
      },
      { ...streams, signal, clearPromptOnDone: true },
    )
  } catch (error) {
    if ((error as Error).name === 'ExitPromptError') return undefined
    if (signal.aborted) throw new EngineError('INTERRUPTED', 'The question was interrupted.', { cause: error })
    throw error
  }
}
