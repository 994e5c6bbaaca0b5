import type { Context } from '../../base/context.ts'
import { readSource } from '../../base/disk/read.ts'
import type { NotEvaluated } from '../../base/records/run.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { formatCount } from '../../base/text/words.ts'
import type { Contribution } from '../../findings/contribution.ts'
import type { Config } from '../../sources/config/load.ts'
import { LlmError } from '../llm/llm-error.ts'
import { openModel } from '../llm/open.ts'
import type { LlmSession } from '../llm/session.ts'
import { askAboutFile, type FileAnswer } from './ask.ts'
import { toFindings } from './findings.ts'
import type { Question } from './questions.ts'

/** Files that one rule asks about at most; a rule with more is evaluated for the first, and the rest is said. */
const MOST_FILES = 200

/** Every rule once as not evaluated. */
export function leaveUnanswered(questions: readonly Question[], detail: string): Contribution {
  const notEvaluated = questions.map(({ rule }): NotEvaluated => ({ rule_id: rule.id, reason: 'no_provider', detail }))
  return { findings: [], notEvaluated, notices: [] }
}

/**
 * Asks the configured model each question about each of its files. Where none can be asked, every rule is not evaluated, once; where a
 * question got no answer that can be used, its files are. Answers add findings and take none away.
 */
export async function answerQuestions(
  questions: readonly Question[],
  config: Config,
  listing: Pick<Listing, 'root'>,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<Contribution> {
  const { session, reason } = openModel(config, context, {})
  if (session === undefined) return leaveUnanswered(questions, reason)
  const made: Contribution = { findings: [], notEvaluated: [], notices: [] }
  for (const question of questions) {
    const { rule, files } = question
    const gaps = new Map<string, string[]>()
    const miss = (why: string, path: string) => gaps.set(why, [...(gaps.get(why) ?? []), path])
    for (const { path } of files.slice(MOST_FILES)) miss(`a rule asks about ${MOST_FILES} files at most`, path)
    const asked = files.slice(0, MOST_FILES)
    const answers = await Promise.all(asked.map(file => answerOne(session, question, file, config, listing.root)))
    for (const [index, answer] of answers.entries()) {
      const file = asked[index]!
      if ('unknown' in answer) miss(answer.unknown, file.path)
      else made.findings.push(...toFindings(question, file, answer))
    }
    for (const [detail, paths] of gaps)
      made.notEvaluated.push({
        ...{ rule_id: rule.id, reason: 'no_data' },
        ...(paths.length === 1
          ? { file: paths[0]!, detail }
          : { detail: `${formatCount(paths.length, 'file')}: ${detail}` }),
      })
  }
  return made
}

async function answerOne(
  session: LlmSession,
  { rule }: Question,
  file: SourceFile,
  { llm, scan }: Config,
  root: string,
): Promise<FileAnswer | { unknown: string }> {
  const bytes = file.blob === undefined ? readSource(root, file, scan.max_file_bytes) : undefined
  const decoded = bytes instanceof Uint8Array ? decode(bytes, file.encoding) : undefined
  if (decoded === undefined || !('text' in decoded)) return { unknown: 'the file cannot be read' }
  const text = decoded.text.toLowerCase()
  // As for every rule: without one of its literals there is nothing to find.
  if (rule.literals && !rule.literals.some(literal => text.includes(literal.toLowerCase()))) return { places: [] }
  try {
    return await askAboutFile(session, rule, { path: file.path, text: decoded.text }, llm.exclude)
  } catch (error) {
    if (error instanceof LlmError) return { unknown: error.message }
    throw error
  }
}
