import type { CompiledRule } from '../detect/rules/active-rules.ts'
import type { ValueAnswer, ValueQuestion } from './constants/file-values.ts'
import type { FollowedAnswer, FollowQuestion } from './cross-file/follow.ts'
import type { ReleaseAnswer, ReleaseQuestion } from './releases/file-releases.ts'

/**
 * Work that needs to know of all files, once each was searched by itself. A question is plain data, and so is its answer, which depends on nothing
 * else but the rules.
 */
interface Tasks {
  /** What rules find by values of other files. */
  values: { question: ValueQuestion; answer: ValueAnswer }
  /** Where input goes from file to file. */
  follow: { question: FollowQuestion; answer: FollowedAnswer }
  /** What files do wrong with blocks that functions of other files free. */
  releases: { question: ReleaseQuestion; answer: ReleaseAnswer }
}

export type TaskKind = keyof Tasks

export interface Task<Kind extends TaskKind = TaskKind> {
  kind: Kind
  question: Tasks[Kind]['question']
}

export type TaskAnswer<Kind extends TaskKind> = Tasks[Kind]['answer']

/** Performs tasks elsewhere than in this thread. */
export type Perform = <Kind extends TaskKind>(task: Task<Kind>) => Promise<TaskAnswer<Kind>>

/** How each kind is performed, with the rules that the thread searches files with; what it needs is loaded where it is asked for. */
const KINDS: {
  [Kind in TaskKind]: (question: Tasks[Kind]['question'], rules: readonly CompiledRule[]) => Promise<TaskAnswer<Kind>>
} = {
  values: async (question, rules) => (await import('./constants/file-values.ts')).answerValues(question, rules),
  follow: async (question, rules) => (await import('./cross-file/follow.ts')).answerFollow(question, rules),
  releases: async (question, rules) => (await import('./releases/file-releases.ts')).answerReleases(question, rules),
}

/** Performs a task in this thread. */
export function performTask<Kind extends TaskKind>(
  { kind, question }: Task<Kind>,
  rules: readonly CompiledRule[],
): Promise<TaskAnswer<Kind>> {
  return KINDS[kind](question, rules)
}
