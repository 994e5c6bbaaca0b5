/** Answers that are kept: one of each page and repository. */
const MOST = 32

const kept = new Map<string, { state: string; answer: unknown }>()

/**
 * The answer for a state of what it is computed from: the kept one where the state is the same, else that of `compute`. Of each name the answer of
 * one state is kept. With an undefined state nothing can be told, and it is computed each time.
 */
export async function keepAnswer<T>(name: string, state: string | undefined, compute: () => Promise<T>): Promise<T> {
  const known = kept.get(name)
  if (known !== undefined && known.state === state) return known.answer as T
  kept.delete(name)
  const answer = await compute()
  if (state === undefined) return answer
  kept.set(name, { state, answer })
  for (const oldest of kept.keys()) if (kept.size > MOST) kept.delete(oldest)
  return answer
}
