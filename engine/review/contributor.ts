import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Contributor } from '../findings/contribution.ts'

/**
 * What a language model answers to rules of the type `llm`. None comes with svc, so only a repository with rules of its own is looked at.
 * Nothing is sent in a scan of what is staged, which a commit waits for.
 */
const llm: Contributor = {
  name: 'llm',
  asksForEveryFile: false,
  needsCheckout: () => false,
  applies: ({ root }) => ['.svc/packs', '.svc/rules'].some(path => existsSync(join(root, path))),

  async run({ config, listing, selectFiles, scope, dry_run }, context) {
    const { findQuestions } = await import('./rules/questions.ts')
    const questions = await findQuestions(config, () => selectFiles(() => true))
    if (questions.length === 0) return { findings: [], notEvaluated: [], notices: [] }
    const { answerQuestions, leaveUnanswered } = await import('./rules/answer.ts')
    if (scope === 'staged') return leaveUnanswered(questions, 'no model is asked about what is staged')
    if (listing.kind === 'bare') return leaveUnanswered(questions, 'the repository has no work tree')
    if (dry_run) return leaveUnanswered(questions, 'a dry run sends nothing')
    return answerQuestions(questions, config, listing, context)
  },
}

export default llm
