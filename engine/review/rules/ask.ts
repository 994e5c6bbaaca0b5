import type { JsonSchema } from '../../base/json-schema.ts'
import type { LlmRule } from '../../base/records/rule.ts'
import { clip, escapeInvisibleLine } from '../../base/text/visible.ts'
import { FENCE_RULE, fence } from '../llm/fence.ts'
import { prepareFiles, verifyQuote } from '../llm/prepare.ts'
import type { LlmSession } from '../llm/session.ts'

/** Lines that a model names, each checked to be in the file as it was sent. */
export interface FileAnswer {
  places: { line: number; text: string; reason: string; confidence: number }[]
}

/** A deterministic rule has 1; a quotation at the line that was named, and one that was elsewhere, have at most so much. */
const MOST_CONFIDENCE = { named: 0.7, elsewhere: 0.5 }
/** Of one file at most. */
const MOST = 10

const SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['answer', 'evidence', 'confidence'],
  properties: {
    answer: { type: 'string', enum: ['yes', 'no', 'unknown'] },
    evidence: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['line', 'quote', 'reason'],
        properties: {
          line: { type: 'integer' },
          quote: { type: 'string', description: 'the text of that line, copied exactly' },
          reason: { type: 'string' },
        },
      },
    },
    confidence: { type: 'number' },
  },
}

const SYSTEM = `You answer one question about one file of a repository. Say "yes" only if lines of the file show it, and quote each of them with its number; say "no" if the file shows that it is not so, and "unknown" in doubt. Answer with one JSON object of the given schema. ${FENCE_RULE}`

/**
 * Asks a rule's question about a file. "Yes" counts for the quoted lines that exist; without any, and for "unknown", the file is unknown, as is
 * one that was not sent whole. LlmError where no valid answer came.
 */
export async function askAboutFile(
  session: LlmSession,
  { question, match, clean }: Pick<LlmRule, 'question' | 'match' | 'clean'>,
  file: { path: string; text: string },
  exclude: readonly string[],
): Promise<FileAnswer | { unknown: string }> {
  const { batches, unsent } = prepareFiles([file], exclude)
  const sent = batches[0]?.[0]
  if (sent === undefined || unsent.length > 0) return { unknown: unsent[0]?.reason ?? 'there is nothing to send' }
  const words = fence('question', question, false)
  const examples = [
    ...match.slice(0, 3).map(({ code }) => fence('example whose answer is yes', code.slice(0, 4000), false)),
    ...clean.slice(0, 3).map(({ code }) => fence('example whose answer is no', code.slice(0, 4000), false)),
  ]
  const fenced = [words, ...examples, sent]
  const { value } = await session.ask({
    purpose: 'llm-rule',
    messages: [
      { role: 'system', content: SYSTEM },
      {
        role: 'user',
        content: [
          `Schema: ${JSON.stringify(SCHEMA)}`,
          'Answer the question between the first marks about the file between the last ones.',
          ...fenced.map(({ text }) => text),
        ].join('\n\n'),
      },
    ],
    ...{ schema: SCHEMA, nonces: fenced.map(({ nonce }) => nonce) },
  })
  const { answer, evidence, confidence } = value as {
    answer: 'yes' | 'no' | 'unknown'
    evidence: { line: number; quote: string; reason: string }[]
    confidence: number
  }
  if (answer === 'no') return { places: [] }
  if (answer === 'unknown') return { unknown: 'the model does not know' }
  const places = new Map<number, FileAnswer['places'][number]>()
  for (const { line, quote, reason } of evidence.slice(0, MOST)) {
    const real = verifyQuote(sent, line, quote)
    if (real === undefined || places.has(real)) continue
    const most = real === line ? MOST_CONFIDENCE.named : MOST_CONFIDENCE.elsewhere
    places.set(real, {
      ...{ line: real, text: sent.lines[real - 1]!, reason: clip(escapeInvisibleLine(reason).trim(), 300) },
      confidence: Math.min(most, Math.max(0.1, confidence)),
    })
  }
  if (places.size === 0) return { unknown: 'the model named no line that exists' }
  return { places: [...places.values()].sort((a, b) => a.line - b.line) }
}
