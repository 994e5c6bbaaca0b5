import type { Context, Event, Surface } from '../../engine/base/context.ts'
import { EngineError } from '../../engine/base/errors.ts'
import type { View } from '../../engine/base/text/view.ts'

/** A view without colors. */
export const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }

/** The error that an operation or a load ends with. */
export async function refusal(work: () => unknown): Promise<EngineError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** What a surface gives to an operation, and the notices it was told. */
export function context(cwd: string, more: Partial<Context> = {}): Context & { notices: string[] } {
  const notices: string[] = []
  const base = { surface: 'cli' as const, cwd, env: {}, signal: new AbortController().signal }
  return { ...base, emit: () => {}, notice: text => void notices.push(text), notices, ...more }
}

/** A surface that keeps what it was told. */
export function surface(
  cwd: string,
  more: { surface?: Surface; signal?: AbortSignal; env?: Record<string, string> } = {},
) {
  const events: Event[] = []
  const notices: string[] = []
  const context: Context = {
    surface: more.surface ?? 'cli',
    cwd,
    env: more.env ?? {},
    signal: more.signal ?? new AbortController().signal,
    emit: event => events.push(event),
    notice: text => notices.push(text),
  }
  return { context, events, notices }
}
