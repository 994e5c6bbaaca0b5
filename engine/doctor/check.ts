/** How a check went: in order, worth knowing, or in the way of the work. */
export const STATES = ['ok', 'warn', 'fail'] as const
export type State = (typeof STATES)[number]

/** One line of the doctor's answer. */
export interface Check {
  name: string
  state: State
  /** What was found, in words. */
  detail: string
  /** What to do about it; present unless all is in order. */
  next?: string
}

export const passCheck = (name: string, detail: string): Check => ({ name, state: 'ok', detail })
export const warn = (name: string, detail: string, next: string): Check => ({ name, state: 'warn', detail, next })
export const fail = (name: string, detail: string, next: string): Check => ({ name, state: 'fail', detail, next })

/** The check, or a failed one that says why it could not be made. */
export async function attempt(name: string, next: string, check: () => Promise<Check> | Check): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return fail(name, (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!, next)
  }
}
