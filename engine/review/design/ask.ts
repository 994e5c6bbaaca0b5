import type { JsonSchema } from '../../base/json-schema.ts'
import { clip, escapeInvisible } from '../../base/text/visible.ts'
import { makeCodeFile } from '../code/code-file.ts'
import { findSymbolIn } from '../code/symbols.ts'
import type { ReviewedChange } from '../content.ts'
import { FENCE_RULE } from '../llm/fence.ts'
import { LlmError } from '../llm/llm-error.ts'
import { prepareFiles, type SentFile, verifyQuote } from '../llm/prepare.ts'
import type { LlmSession } from '../llm/session.ts'
import { DECISION_CATEGORIES, type FoundDecision, RISK_LEVELS } from './decision.ts'
import { foldLine } from './find.ts'
import { digestAround } from './merge.ts'
import type { DecisionSource, LlmPart } from './review.ts'

/** A model's decisions stay below those that are certain. */
const MOST_CONFIDENCE = 0.7
/** Of one request at most: a review with more is read by nobody. */
const MOST = 20

const TEXT = { type: 'string' }
const SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['decisions'],
  properties: {
    decisions: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: [
          'category',
          'file',
          'line',
          'quote',
          'summary',
          'alternatives',
          'risk',
          'risk_level',
          'question',
          'confidence',
        ],
        properties: {
          category: { type: 'string', enum: [...DECISION_CATEGORIES] },
          file: TEXT,
          line: { type: 'integer' },
          quote: { type: 'string', description: 'the text of that line, copied exactly' },
          summary: TEXT,
          alternatives: { type: 'array', items: TEXT },
          risk: TEXT,
          risk_level: { type: 'string', enum: [...RISK_LEVELS] },
          question: TEXT,
          confidence: { type: 'number' },
        },
      },
    },
  },
}

const SYSTEM = `You review the design of a software change. List the design decisions that its author has made and that a reviewer should know of: architecture, security patterns, data models, error handling, performance trade-offs, dependencies, state. List no style, no praise, and nothing that is not in the code. Name for each the file, the line number that stands before the line, and the text of that line. Answer with one JSON object of the given schema. ${FENCE_RULE}`

/** What a model adds to a review. It only adds: nothing that the deterministic part found is changed by any answer. */
export function askForDecisions(session: LlmSession, exclude: readonly string[]): DecisionSource {
  return async (change, known) => {
    const files = change.files.flatMap(({ path, in_test, after }) =>
      in_test || after === undefined ? [] : [{ path, text: after }],
    )
    const { batches, unsent, instructions } = prepareFiles(files, exclude)
    const decisions: FoundDecision[] = instructions.flatMap(({ path, line, text }) => {
      const file = change.files.find(each => each.path === path)
      return file?.after === undefined ? [] : [describeInstruction(path, file.after, line, text)]
    })
    const reasons = unsent.map(({ path, reason }) => `${path}: ${reason}`)
    let dropped = 0
    let answered = 0
    const answers = await Promise.allSettled(batches.map(batch => askOne(session, batch, known)))
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'rejected') {
        if (!(answer.reason instanceof LlmError)) throw answer.reason
        reasons.push(answer.reason.message)
        continue
      }
      answered++
      for (const each of answer.value) {
        const found = verify(each, batches[index]!, change)
        if (found === undefined) dropped++
        else decisions.push(found)
      }
    }
    const llm: LlmPart = {
      state: batches.length > 0 && answered === batches.length && unsent.length === 0 ? 'evaluated' : 'not_evaluated',
      ...(reasons.length > 0 && { reason: clip([...new Set(reasons)].join('; '), 500) }),
      ...(batches.length === 0 && reasons.length === 0 && { reason: 'the change has no file to send' }),
      dropped,
    }
    return { decisions, llm }
  }
}

/** An answer that matched the schema. */
interface Answer
  extends Pick<
    FoundDecision,
    'category' | 'file' | 'line' | 'summary' | 'alternatives' | 'risk' | 'risk_level' | 'question' | 'confidence'
  > {
  quote: string
}

async function askOne(
  session: LlmSession,
  batch: readonly SentFile[],
  known: readonly FoundDecision[],
): Promise<Answer[]> {
  const paths = new Set(batch.map(({ path }) => path))
  const found = known
    .filter(({ file }) => paths.has(file))
    .map(({ file, line, category }) => `${category} at ${file}:${line}`)
  const content = [
    `Schema: ${JSON.stringify(SCHEMA)}`,
    ...(found.length > 0 ? [`Known already, so do not repeat: ${found.slice(0, 50).join('; ')}`] : []),
    ...batch.map(({ text }) => text),
  ].join('\n\n')
  const { value } = await session.ask({
    purpose: 'design-review',
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content },
    ],
    ...{ schema: SCHEMA, nonces: batch.map(({ nonce }) => nonce) },
  })
  return (value as { decisions: Answer[] }).decisions.slice(0, MOST)
}

/** A decision at the line that was verified; undefined where file, line or quotation do not exist. */
function verify(answer: Answer, batch: readonly SentFile[], { files }: ReviewedChange): FoundDecision | undefined {
  const sent = batch.find(({ path }) => path === answer.file)
  const text = files.find(({ path }) => path === answer.file)?.after
  if (sent === undefined || text === undefined) return undefined
  const line = verifyQuote(sent, answer.line, answer.quote)
  if (line === undefined) return undefined
  const lines = makeCodeFile(answer.file, text).code.split('\n')
  // A line without code, a comment for example, decides nothing.
  if (foldLine(lines[line - 1]) === '') return undefined
  const { category, risk_level } = answer
  const say = (words: string, most: number) => clip(escapeInvisible(words).trim(), most)
  return {
    ...{
      category,
      kind: 'llm',
      source: 'llm',
      summary: say(answer.summary, 300),
      file: answer.file,
      line,
      end_line: line,
    },
    symbol: findSymbolIn(lines, line),
    alternatives: answer.alternatives.slice(0, 5).map(each => say(each, 300)),
    ...{ risk: say(answer.risk, 600), risk_level, question: say(answer.question, 400) },
    confidence: Math.min(MOST_CONFIDENCE, Math.max(0.1, answer.confidence)),
    evidence: foldLine(lines[line - 1]),
    code_digest: digestAround(lines, line),
  }
}

function describeInstruction(path: string, text: string, line: number, words: string): FoundDecision {
  const lines = makeCodeFile(path, text).text.split('\n')
  return {
    ...{ category: 'security-pattern', kind: 'instruction', source: 'rule', file: path, line, end_line: line },
    summary: `Text that gives instructions to a language model: ${words.slice(0, 120)}`,
    symbol: '',
    alternatives: ['Remove the text'],
    risk: 'It tries to change what assistants and reviewers that read this repository do. svc does not follow it.',
    ...{ risk_level: 'high', question: 'Who put this text here, and for whom?', confidence: 1 },
    evidence: foldLine(lines[line - 1]),
    code_digest: `instruction ${foldLine(lines[line - 1]).slice(0, 200)}`,
  }
}
