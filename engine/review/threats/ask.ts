import type { JsonSchema } from '../../base/json-schema.ts'
import { clip, escapeInvisible } from '../../base/text/visible.ts'
import { foldLine } from '../design/find.ts'
import type { LlmPart } from '../design/review.ts'
import { FENCE_RULE, fence } from '../llm/fence.ts'
import { LlmError } from '../llm/llm-error.ts'
import { prepareFiles, type SentFile, verifyQuote } from '../llm/prepare.ts'
import type { LlmSession } from '../llm/session.ts'
import type { ThreatSource } from './assess.ts'
import { type DataFlowModel, type FoundThreat, LEVELS, STRIDE, type Stride } from './model.ts'
import { digestQuoted, type ReadFile, readMasked } from './quoted.ts'

const MOST_CONFIDENCE = 0.7
const MOST = 20
/** Files of the model's elements that are sent. */
const MOST_FILES = 12

const TEXT = { type: 'string' }
const SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['threats'],
  properties: {
    threats: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: [
          'stride',
          'element',
          'file',
          'line',
          'quote',
          'title',
          'description',
          'attack_vector',
          'impact',
          'likelihood',
          'severity',
          'mitigation',
          'confidence',
        ],
        properties: {
          stride: { type: 'string', enum: [...STRIDE] },
          element: { type: 'string', description: 'the id of an element or flow of the model' },
          file: TEXT,
          line: { type: 'integer' },
          quote: { type: 'string', description: 'the text of that line, copied exactly' },
          ...{ title: TEXT, description: TEXT, attack_vector: TEXT, impact: TEXT, mitigation: TEXT },
          likelihood: { type: 'string', enum: [...LEVELS] },
          severity: { type: 'string', enum: ['high', 'medium', 'low'] },
          confidence: { type: 'number' },
        },
      },
    },
  },
}

const SYSTEM = `You do threat modeling by STRIDE for a software repository. You get its data-flow model and the code at its entry points. Add threats that are specific to this code and missing from the known ones. For each name the element or flow by its id, the file, the line number that stands before the line, and the text of that line. Answer with one JSON object of the given schema. ${FENCE_RULE}`

/** What a model of language adds to a threat model. It only adds: no threat of the tables is changed by any answer. */
export function askForThreats(session: LlmSession, exclude: readonly string[], readFile: ReadFile): ThreatSource {
  return async (model, known) => {
    const paths = [
      ...new Set(model.elements.flatMap(({ entry_points }) => entry_points.map(({ file }) => file))),
    ].slice(0, MOST_FILES)
    const files = paths.flatMap(path => {
      const text = readFile(path)
      return text === undefined ? [] : [{ path, text }]
    })
    const { batches, unsent } = prepareFiles(files, exclude)
    const reasons = unsent.map(({ path, reason }) => `${path}: ${reason}`)
    const threats: FoundThreat[] = []
    let dropped = 0
    let answered = 0
    const answers = await Promise.allSettled(batches.map(batch => askOne(session, batch, model, known)))
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'rejected') {
        if (!(answer.reason instanceof LlmError)) throw answer.reason
        reasons.push(answer.reason.message)
        continue
      }
      answered++
      for (const each of answer.value) {
        const found = verify(each, batches[index]!, model, readFile)
        if (found === undefined) dropped++
        else threats.push(found)
      }
    }
    const llm: LlmPart = {
      state: batches.length > 0 && answered === batches.length && unsent.length === 0 ? 'evaluated' : 'not_evaluated',
      ...(reasons.length > 0 && { reason: clip([...new Set(reasons)].join('; '), 500) }),
      ...(batches.length === 0 &&
        reasons.length === 0 && { reason: 'the model has no entry point whose code could be sent' }),
      dropped,
    }
    return { threats, llm }
  }
}

interface Answer
  extends Pick<
    FoundThreat,
    | 'element'
    | 'title'
    | 'description'
    | 'attack_vector'
    | 'impact'
    | 'likelihood'
    | 'severity'
    | 'mitigation'
    | 'confidence'
  > {
  stride: Stride
  file: string
  line: number
  quote: string
}

async function askOne(
  session: LlmSession,
  batch: readonly SentFile[],
  model: DataFlowModel,
  known: readonly FoundThreat[],
): Promise<Answer[]> {
  const brief = {
    elements: model.elements.map(({ id, kind, name, zone }) => ({ id, kind, name, zone })),
    flows: model.flows.map(({ id, label, crosses }) => ({ id, label, crosses })),
    known: known.map(({ stride, element, rule }) => `${stride} ${element} ${rule}`),
  }
  const described = fence('data-flow model', JSON.stringify(brief), false)
  const { value } = await session.ask({
    purpose: 'threat-model',
    messages: [
      { role: 'system', content: SYSTEM },
      {
        role: 'user',
        content: [`Schema: ${JSON.stringify(SCHEMA)}`, described.text, ...batch.map(({ text }) => text)].join('\n\n'),
      },
    ],
    ...{ schema: SCHEMA, nonces: [described.nonce, ...batch.map(({ nonce }) => nonce)] },
  })
  return (value as { threats: Answer[] }).threats.slice(0, MOST)
}

function verify(
  answer: Answer,
  batch: readonly SentFile[],
  model: DataFlowModel,
  readFile: ReadFile,
): FoundThreat | undefined {
  const subject = [...model.elements, ...model.flows].find(({ id }) => id === answer.element)
  const sent = batch.find(({ path }) => path === answer.file)
  if (subject === undefined || sent === undefined) return undefined
  const line = verifyQuote(sent, answer.line, answer.quote)
  if (line === undefined) return undefined
  const lines = readMasked(answer.file, readFile)
  const say = (words: string, most: number) => clip(escapeInvisible(words).trim(), most)
  const { stride, likelihood, severity } = answer
  return {
    ...{
      stride,
      rule: 'llm',
      source: 'llm',
      element: answer.element,
      component: 'name' in subject ? subject.name : subject.id,
    },
    ...{
      title: say(answer.title, 200),
      description: say(answer.description, 1000),
      attack_vector: say(answer.attack_vector, 600),
    },
    ...{ impact: say(answer.impact, 400), likelihood, severity, mitigation: say(answer.mitigation, 600) },
    ...{
      cwe: [],
      places: [{ file: answer.file, line, what: 'named by the model' }],
      rules: [],
      findings: [],
      controls_seen: [],
    },
    confidence: Math.min(MOST_CONFIDENCE, Math.max(0.1, answer.confidence)),
    evidence: foldLine(lines[line - 1] ?? ''),
    digest: digestQuoted(subject, lines, line),
  }
}
