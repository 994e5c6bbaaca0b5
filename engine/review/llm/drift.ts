import type { JsonSchema } from '../../base/json-schema.ts'
import { clip, escapeInvisible } from '../../base/text/visible.ts'
import { FENCE_RULE, fence } from './fence.ts'
import { LlmError } from './llm-error.ts'
import { prepareFiles, verifyQuote } from './prepare.ts'
import type { LlmSession } from './session.ts'

/** A question whether code still does what a requirement says. */
export interface DriftQuestion {
  /** Words of the requirement: its text for behavioral drift, one criterion for acceptance drift. */
  requirement: string
  files: readonly { path: string; text: string }[]
}

/** The answer, with the lines that show it. `unknown` is no pass: it is not evaluated. */
export interface DriftAnswer {
  verdict: 'holds' | 'violated' | 'unknown'
  reason: string
  /** Lines that exist in the files; a violation without any is `unknown`. */
  evidence: { file: string; line: number }[]
  confidence: number
}

/** Requirement drift has 0.7 in the specification; a model stays below. */
const MOST_CONFIDENCE = 0.65

const SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['verdict', 'reason', 'evidence', 'confidence'],
  properties: {
    verdict: { type: 'string', enum: ['holds', 'violated', 'unknown'] },
    reason: { type: 'string' },
    evidence: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['file', 'line', 'quote'],
        properties: { file: { type: 'string' }, line: { type: 'integer' }, quote: { type: 'string' } },
      },
    },
    confidence: { type: 'number' },
  },
}

const SYSTEM = `You compare code with a requirement. Say "violated" only if the code contradicts it, "holds" if it does what is required, "unknown" in doubt, and quote the lines that show it. Answer with one JSON object of the given schema. ${FENCE_RULE}`

/**
 * Asks whether code does what a requirement says. A violation needs a quoted line that exists. Where no model can be asked, or it
 * gives no valid answer, the verdict is `unknown` with the reason.
 */
export async function judgeDrift(
  session: LlmSession,
  { requirement, files }: DriftQuestion,
  exclude: readonly string[],
): Promise<DriftAnswer> {
  const { batches, unsent } = prepareFiles(files, exclude)
  const [batch] = batches
  if (batch === undefined || batches.length > 1 || unsent.length > 0)
    return unknown(
      batches.length > 1 ? 'the code is too large for one question' : (unsent[0]?.reason ?? 'there is no code to send'),
    )
  const asked = fence('requirement', requirement.slice(0, 8000), false)
  try {
    const { value } = await session.ask({
      purpose: 'drift',
      messages: [
        { role: 'system', content: SYSTEM },
        {
          role: 'user',
          content: [`Schema: ${JSON.stringify(SCHEMA)}`, asked.text, ...batch.map(({ text }) => text)].join('\n\n'),
        },
      ],
      ...{ schema: SCHEMA, nonces: [asked.nonce, ...batch.map(({ nonce }) => nonce)] },
    })
    const answer = value as {
      verdict: DriftAnswer['verdict']
      reason: string
      evidence: { file: string; line: number; quote: string }[]
      confidence: number
    }
    const evidence = answer.evidence.slice(0, 10).flatMap(({ file, line, quote }) => {
      const sent = batch.find(({ path }) => path === file)
      const real = sent && verifyQuote(sent, line, quote)
      return real === undefined ? [] : [{ file, line: real }]
    })
    const reason = clip(escapeInvisible(answer.reason).trim(), 600)
    if (answer.verdict !== 'unknown' && evidence.length === 0)
      return unknown(`the model named no line that exists: ${reason}`)
    return {
      verdict: answer.verdict,
      reason,
      evidence,
      confidence: Math.min(MOST_CONFIDENCE, Math.max(0.1, answer.confidence)),
    }
  } catch (error) {
    if (error instanceof LlmError) return unknown(error.message)
    throw error
  }
}

function unknown(reason: string): DriftAnswer {
  return { verdict: 'unknown', reason, evidence: [], confidence: 0 }
}
